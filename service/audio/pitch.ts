/** Seconds between two frames of a pitch track. */
export const FRAME_SECONDS = 0.01;

const WINDOW_SECONDS = 0.04;
/** Hz; speech lies within, from a deep man to a child. */
const RANGE = { min: 60, max: 500 };
/** A rate of about 8 kHz holds every voice's fundamental, at a quarter of the work of 16 kHz. */
const WORKING_RATE = 8000;
/** Of full scale, as RMS: below it is background. */
const QUIET = 0.01;
/** How alike two neighbouring periods must be (normalised autocorrelation) to count as voiced. */
const VOICED = 0.6;
/** The first peak this close to the best one is the period; later ones are its multiples. */
const FIRST_PEAK = 0.9;

/**
 * Fundamental frequency of speech by normalised autocorrelation.
 * @param samples Mono, -1 to 1.
 * @returns Hz for every `FRAME_SECONDS`, 0 where there is no voice.
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

/** The median of a track's voiced frames in Hz, or undefined where no frame has a voice. */
export function medianPitch(track: Float32Array): number | undefined {
  const voiced = track.filter((pitch) => pitch > 0).sort();
  return voiced[Math.floor(voiced.length / 2)];
}

/** Averages `factor` samples into one: a coarse low-pass, enough to find a fundamental. */
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
  const alike = new Float32Array(longest + 1);
  for (let lag = shortest; lag <= longest; lag++) alike[lag] = likeness(signal, start, window, lag, power);
  const lag = firstPeak(alike, shortest);
  return lag === undefined ? 0 : rate / lag;
}

function energy(signal: Float32Array, start: number, length: number): number {
  let sum = 0;
  for (let index = start; index < start + length; index++) sum += (signal[index] ?? 0) ** 2;
  return sum;
}

function likeness(signal: Float32Array, start: number, length: number, lag: number, power: number): number {
  let product = 0;
  let shifted = 0;
  for (let index = start; index < start + length; index++) {
    const later = signal[index + lag] ?? 0;
    product += (signal[index] ?? 0) * later;
    shifted += later * later;
  }
  return shifted === 0 ? 0 : product / Math.sqrt(power * shifted);
}

/** The lag of the first high peak, refined between samples by a parabola through its neighbours. */
function firstPeak(alike: Float32Array, shortest: number): number | undefined {
  const best = alike.reduce((highest, value) => Math.max(highest, value), 0);
  if (best < VOICED) return undefined;
  for (let lag = shortest + 1; lag < alike.length - 1; lag++) {
    const [before = 0, here = 0, after = 0] = alike.subarray(lag - 1, lag + 2);
    if (here >= FIRST_PEAK * best && here >= before && here >= after) {
      const curvature = before - 2 * here + after;
      return curvature === 0 ? lag : lag + (0.5 * (before - after)) / curvature;
    }
  }
  return undefined;
}
