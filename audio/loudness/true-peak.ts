/** Interpolated points between two samples: oversampling by 4 (ITU-R BS.1770-5, annex 2). */
const PHASES = 4;
/** Samples on each side of an interpolated point. */
const REACH = 10;
/** Between two samples below this level, a peak of speech does not reach the ceiling. */
const QUIET = 0.25;

/** The weights of the samples around each interpolated point: a windowed sinc. */
const weights = Array.from({ length: PHASES - 1 }, (_, phase) => {
  const fraction = (phase + 1) / PHASES;
  return Float64Array.from({ length: 2 * REACH }, (_, tap) => {
    const distance = tap - REACH + 1 - fraction;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (REACH + 0.5));
    return (window * Math.sin(Math.PI * distance)) / (Math.PI * distance);
  });
});

/** Finds the true peak at each sample of a continuous signal: the highest level between its neighbours. */
interface Peaks {
  /** Samples between an input and its peak. */
  delay: number;
  push(samples: Float32Array): Float32Array;
}

export function startPeaks(): Peaks {
  let history = new Float32Array(2 * REACH);
  let before = 0;
  return {
    delay: REACH,
    push: (samples) => {
      const all = new Float32Array(history.length + samples.length);
      all.set(history);
      all.set(samples, history.length);
      history = all.slice(-2 * REACH);
      return samples.map((_, index) => {
        const at = index + REACH;
        const after = between(all, at);
        const peak = Math.max(before, Math.abs(all[at] ?? 0), after);
        before = after;
        return peak;
      });
    },
  };
}

/** Returns the highest level between the samples `at` and `at + 1`. */
function between(samples: Float32Array, at: number): number {
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
