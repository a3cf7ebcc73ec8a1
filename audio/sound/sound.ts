/** Decoded audio with one channel. */
export interface Sound {
  /** Samples from -1 to 1. */
  samples: Float32Array;
  /** Hertz. */
  sampleRate: number;
}

/** Concatenates samples. */
export function joined(parts: readonly Float32Array[]): Float32Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const whole = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Returns exactly `length` samples: cuts the end, or appends silence. */
export function fitted(samples: Float32Array, length: number): Float32Array {
  if (samples.length === length) return samples;
  if (samples.length > length) return samples.subarray(0, length);
  const whole = new Float32Array(length);
  whole.set(samples);
  return whole;
}
