/** The native runtime of natural voices, as the service describes it. Unknown numbers are 0. */
import { type Job, jobIn } from './natural-voice.js';
import { fieldsOf, numberOf, textOf } from './values.js';

export interface NativeRuntime {
  isInstalled: boolean;
  /** Whether only a version for another Herald is installed, which voices do not use. */
  isOutdated: boolean;
  /** On the disk: of the installed runtime, or else after an installation. */
  bytes: number;
  downloadBytes: number;
  /** `musl`, `old-glibc` or `platform`; '' if the runtime can run. */
  obstacle: string;
  job: Job | undefined;
}

export function nativeStateIn(value: unknown): NativeRuntime {
  const fields = fieldsOf(value);
  const { isInstalled, isOutdated, bytes, downloadBytes, obstacle, job } = fields;
  return {
    isInstalled: isInstalled === true,
    isOutdated: isOutdated === true,
    bytes: numberOf(bytes) ?? 0,
    downloadBytes: numberOf(downloadBytes) ?? 0,
    obstacle: textOf(obstacle),
    job: job instanceof Object ? jobIn(job) : undefined,
  };
}
