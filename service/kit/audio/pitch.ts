/** Seconds between two frames of a pitch track. */
export const FRAME_SECONDS = 0.01;

const WINDOW_SECONDS = 0.04;
/** Hertz. Covers all voices from a deep man's to a child's. */
const RANGE = { min: 60, max: 500 };
/** Hertz. About 8 kHz is sufficient for every fundamental frequency and takes a quarter of the time of 16 kHz. */
const WORKING_RATE = 8000;
/** Minimum RMS of a voiced frame, as a fraction of full scale. Anything below counts as background. */
const QUIET = 0.01;
/** Minimum normalized autocorrelation of a voiced frame. */
const VOICED = 0.6;
/** The first peak with this fraction of the highest peak marks the period. Later peaks are its multiples. */
const FIRST_PEAK = 0.9;

/**
 * Tracks the fundamental frequency of speech by normalized autocorrelation.
 * @param samples mono, -1 to 1
 * @returns hertz for each frame of `FRAME_SECONDS`, 0 for unvoiced frames
 */
export function trackPitch(samples: Float32Array, sampleRate: number): Float32Array {
  const factor = Math.max(1, Math.floor(sampleRate / WORKING_RATE));
  const signal = decimate(samples, factor);
  const rate = sampleRate / factor;
  const frames = Math.floor(signal.length / rate / FRAME_SECONDS);
  return Float32Array.from({ length: frames }, (_, frame) =>
    pitchAt(signal, rate, Math.round(frame * FRAME_SECONDS * rate)),
  );
}

/** Returns the median of the voiced frames in hertz, or undefined if no frame is voiced. */
export function medianPitch(track: Float32Array): number | undefined {
  const voiced = track.filter((pitch) => pitch > 0).sort();
  return voiced[Math.floor(voiced.length / 2)];
}

/** Averages groups of `factor` samples: a coarse low-pass filter, sufficient for finding the fundamental frequency. */
function decimate(samples: Float32Array, factor: number): Float32Array {
  if (factor === 1) return samples;
  const result = new Float32Array(Math.floor(samples.length / factor));
  for (let index = 0; index < result.length; index++) {
    let sum = 0;
    for (let offset = 0; offset < factor; offset++) sum += samples[index * factor + offset] ?? 0;
    result[index] = sum / factor;
  }
  return result;
}

function pitchAt(signal: Float32Array, rate: number, start: number): number {
  const shortest = Math.floor(rate / RANGE.max);
  const longest = Math.ceil(rate / RANGE.min);
  const window = Math.round(WINDOW_SECONDS * rate);
  if (start + window + longest >= signal.length) return 0;
  const power = energy(signal, start, window);
  if (Math.sqrt(power / window) < QUIET) return 0;
  const correlations = new Float32Array(longest + 1);
  for (let lag = shortest; lag <= longest; lag++)
    correlations[lag] = correlation(signal, start, window, lag, power);
  const lag = firstPeak(correlations, shortest);
  return lag === undefined ? 0 : rate / lag;
}

function energy(signal: Float32Array, start: number, length: number): number {
  let sum = 0;
  for (let index = start; index < start + length; index++) sum += (signal[index] ?? 0) ** 2;
  return sum;
}

/** Returns the normalized autocorrelation at a lag of `lag` samples. */
function correlation(
  signal: Float32Array,
  start: number,
  length: number,
  lag: number,
  power: number,
): number {
  let product = 0;
  let shifted = 0;
  for (let index = start; index < start + length; index++) {
    const later = signal[index + lag] ?? 0;
    product += (signal[index] ?? 0) * later;
    shifted += later * later;
  }
  return shifted === 0 ? 0 : product / Math.sqrt(power * shifted);
}

/** Returns the lag of the first high peak, interpolated by a parabola through its neighbours. */
function firstPeak(correlations: Float32Array, shortest: number): number | undefined {
  const best = correlations.reduce((highest, value) => Math.max(highest, value), 0);
  if (best < VOICED) return undefined;
  for (let lag = shortest + 1; lag < correlations.length - 1; lag++) {
    const [before = 0, here = 0, after = 0] = correlations.subarray(lag - 1, lag + 2);
    if (here >= FIRST_PEAK * best && here >= before && here >= after) {
      const curvature = before - 2 * here + after;
      return curvature === 0 ? lag : lag + (0.5 * (before - after)) / curvature;
    }
  }
  return undefined;
}
