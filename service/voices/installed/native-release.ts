import { z } from 'zod';
import pinned from './native-release.json';

const shape = z.object({
  version: z.string(),
  /** Digest of the package, as in a lock file of npm. */
  integrity: z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/),
  /** Bytes of the packed package. */
  bytes: z.number(),
  /** Bytes of the libraries by platform and machine, such as `linux-x64`. */
  platforms: z.record(z.string(), z.number()),
});

/** A version of onnxruntime-node. */
export type NativeRelease = z.output<typeof shape>;

/** The version that Herald installs. `scripts/native-release.mjs` writes it. */
export const nativeRelease: NativeRelease = shape.parse(pinned);

/** The name with the version, as npm knows it. */
export const packageOf = ({ version }: NativeRelease): string => `onnxruntime-node@${version}`;
