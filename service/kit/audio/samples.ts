/** Full scale of 16-bit audio. */
const FULL_SCALE = 32_768;
/** -3 dBFS: loud, with headroom for filters and encoders. */
const PEAK = 10 ** (-3 / 20);

/** Converts 16-bit samples to the range -1 to 1. */
export function toFloat(samples: Int16Array): Float32Array {
  const result = new Float32Array(samples.length);
  for (let index = 0; index < result.length; index++) result[index] = (samples[index] ?? 0) / FULL_SCALE;
  return result;
}

/** Converts samples in the range -1 to 1 to 16 bits. Clips louder samples. */
export function toInt16(samples: Float32Array): Int16Array {
  const result = new Int16Array(samples.length);
  for (let index = 0; index < result.length; index++) {
    const sample = Math.round((samples[index] ?? 0) * FULL_SCALE);
    result[index] = Math.max(-FULL_SCALE, Math.min(FULL_SCALE - 1, sample));
  }
  return result;
}

/** Returns the absolute value of the loudest sample, 0 to 1. */
export function peakOf(samples: Float32Array): number {
  let peak = 0;
  for (let index = 0; index < samples.length; index++) peak = Math.max(peak, Math.abs(samples[index] ?? 0));
  return peak;
}

/** Scales samples to a peak of -3 dBFS. Silence stays silent. */
export function normalize(samples: Float32Array): Float32Array {
  const peak = peakOf(samples);
  if (peak === 0) return samples;
  const result = new Float32Array(samples.length);
  for (let index = 0; index < result.length; index++) result[index] = ((samples[index] ?? 0) * PEAK) / peak;
  return result;
}
