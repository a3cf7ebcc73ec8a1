/** Full scale of 16-bit audio. */
const FULL_SCALE = 32_768;
/** -3 dBFS: loud, with room for a filter or an encoder to overshoot. */
const PEAK = 10 ** (-3 / 20);

/** 16-bit samples as -1 to 1. */
export function toFloat(samples: Int16Array): Float32Array {
  return Float32Array.from(samples, (sample) => sample / FULL_SCALE);
}

/** Samples of -1 to 1 in 16 bits; what is louder is cut. */
export function toInt16(samples: Float32Array): Int16Array {
  return Int16Array.from(samples, (sample) =>
    Math.round(Math.max(-1, Math.min(1 - 1 / FULL_SCALE, sample)) * FULL_SCALE),
  );
}

/** The loudest sample, 0 to 1. */
export function peakOf(samples: Float32Array): number {
  return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
}

/** The same sound with its loudest sample at -3 dBFS; silence stays silent. */
export function normalize(samples: Float32Array): Float32Array {
  const peak = peakOf(samples);
  return peak === 0 ? samples : samples.map((sample) => (sample * PEAK) / peak);
}
