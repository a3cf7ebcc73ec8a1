/** Full scale of 16-bit audio. */
const FULL_SCALE = 32_768;
/** -3 dBFS: loud, with headroom for filters and encoders. */
const PEAK = 10 ** (-3 / 20);

/** Converts 16-bit samples to the range -1 to 1. */
export function toFloat(samples: Int16Array): Float32Array {
  return new Float32Array(samples).map((sample) => sample / FULL_SCALE);
}

/** Converts samples in the range -1 to 1 to 16 bits. Clips louder samples. */
export function toInt16(samples: Float32Array): Int16Array {
  return new Int16Array(
    samples.map((sample) => Math.round(Math.max(-1, Math.min(1 - 1 / FULL_SCALE, sample)) * FULL_SCALE)),
  );
}

/** Returns the absolute value of the loudest sample, 0 to 1. */
export function peakOf(samples: Float32Array): number {
  return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
}

/** Scales samples to a peak of -3 dBFS. Silence stays silent. */
export function normalize(samples: Float32Array): Float32Array {
  const peak = peakOf(samples);
  return peak === 0 ? samples : samples.map((sample) => (sample * PEAK) / peak);
}
