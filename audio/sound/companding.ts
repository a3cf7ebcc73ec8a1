import type * as Codecs from 'alawmulaw';

/** Loads the codecs with the first use. */
const codecs = (): typeof Codecs => require('alawmulaw');

/** Compands signed samples of 16 bits (ITU-T G.711). */
export function compand(samples: Int16Array, law: 'mulaw' | 'alaw'): Uint8Array {
  return codecs()[law].encode(samples);
}

/** Expands companded samples to signed samples of 16 bits (ITU-T G.711). */
export function expand(bytes: Uint8Array, law: 'mulaw' | 'alaw'): Int16Array {
  return codecs()[law].decode(bytes);
}
