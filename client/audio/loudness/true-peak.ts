/** Points between two samples at most: oversampling by at least 4 (ITU-R BS.1770-5, annex 2), up to 192 kHz as meters do. */
const LEAST_PHASES = 4;
const METER_RATE = 192_000;
/** Samples on each side of an interpolated point. */
const REACH = 16;
/** Between two samples below this level, a peak of speech does not reach the ceiling. */
const QUIET = 0.25;

type Weights = readonly Float64Array[];

/** Returns the weights of the samples around each interpolated point: a windowed sinc. */
function weightsAt(sampleRate: number): Weights {
  const phases = Math.max(LEAST_PHASES, Math.ceil(METER_RATE / sampleRate));
  return Array.from({ length: phases - 1 }, (_, phase) => {
    const fraction = (phase + 1) / phases;
    return Float64Array.from({ length: 2 * REACH }, (_, tap) => {
      const distance = tap - REACH + 1 - fraction;
      const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (REACH + 0.5));
      return (window * Math.sin(Math.PI * distance)) / (Math.PI * distance);
    });
  });
}

/** Finds the true peak at each sample of a continuous signal: the highest level between its neighbours. */
interface Peaks {
  /** Samples between an input and its peak. */
  delay: number;
  push(samples: Float32Array): Float32Array;
}

/** @param sampleRate hertz of the signal */
export function startPeaks(sampleRate: number): Peaks {
  const weights = weightsAt(sampleRate);
  let history = new Float32Array(2 * REACH);
  let before = 0;
  return {
    delay: REACH,
    push: (samples) => {
      const all = new Float32Array(history.length + samples.length);
      all.set(history);
      all.set(samples, history.length);
      history = all.slice(-2 * REACH);
      const peaks = new Float32Array(samples.length);
      for (let index = 0; index < peaks.length; index += 1) {
        const at = index + REACH;
        const after = between(all, at, weights);
        peaks[index] = Math.max(before, Math.abs(all[at] ?? 0), after);
        before = after;
      }
      return peaks;
    },
  };
}

/** Returns the highest level between the samples `at` and `at + 1`. */
function between(samples: Float32Array, at: number, weights: Weights): number {
  if (Math.abs(samples[at] ?? 0) < QUIET && Math.abs(samples[at + 1] ?? 0) < QUIET) return 0;
  let highest = 0;
  for (const taps of weights) {
    let sum = 0;
    for (let tap = 0; tap < taps.length; tap += 1)
      sum += (taps[tap] ?? 0) * (samples[at - REACH + 1 + tap] ?? 0);
    highest = Math.max(highest, Math.abs(sum));
  }
  return highest;
}
