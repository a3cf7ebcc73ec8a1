import { startWeighting } from './weighting.js';

/** Steps of 100 ms in a gating block of 400 ms: blocks overlap by 75 % (ITU-R BS.1770-5, annex 1). */
export const STEPS = 4;
/** LUFS. Blocks below this threshold do not count. */
const ABSOLUTE_GATE = -70;
/** LU. Blocks this far below the mean of the others do not count. */
const RELATIVE_GATE = -10;
const OFFSET = -0.691;

/** Returns the loudness in LUFS of a mean square. */
const loudnessOf = (meanSquare: number): number => OFFSET + 10 * Math.log10(meanSquare);

/** Returns the mean square of a loudness in LUFS. */
const meanSquareOf = (loudness: number): number => 10 ** ((loudness - OFFSET) / 10);

/**
 * Returns the integrated loudness in LUFS, with both gates. Returns `-Infinity` for silence.
 * @param steps the mean square of each step of 100 ms, after the K-weighting
 */
export function integratedLoudness(steps: readonly number[]): number {
  const blocks = blocksOf(steps).filter((block) => block > meanSquareOf(ABSOLUTE_GATE));
  const gate = mean(blocks) * 10 ** (RELATIVE_GATE / 10);
  return loudnessOf(mean(blocks.filter((block) => block > gate)));
}

/** Returns the mean square of each block. Fewer steps than a block count as one block. */
function blocksOf(steps: readonly number[]): number[] {
  if (steps.length < STEPS) return steps.length === 0 ? [] : [mean(steps)];
  return Array.from({ length: steps.length - STEPS + 1 }, (_, at) => mean(steps.slice(at, at + STEPS)));
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Seconds of a step: a gating block moves by one step (ITU-R BS.1770-5, annex 1). */
const STEP = 0.1;

/** Returns the samples of a step at a sample rate in hertz. */
export const stepLength = (sampleRate: number): number => Math.round(STEP * sampleRate);

/** Measures a sound, slice by slice. */
export interface StepMeter {
  push(samples: Float32Array): void;
  /** Returns the sum of the squares after the K-weighting, divided by the samples of a step, for each step so far. */
  steps(): number[];
}

/** @param offset samples of the first step that precede the sound */
export function startStepMeter(sampleRate: number, offset = 0): StepMeter {
  const length = stepLength(sampleRate);
  const sums: number[] = [];
  const weight = startWeighting(sampleRate);
  let at = offset;
  return {
    push: (samples) => {
      const weighted = weight(samples);
      for (let from = 0; from < weighted.length;) {
        const step = Math.floor(at / length);
        const to = Math.min(weighted.length, from + (step + 1) * length - at);
        sums[step] = (sums[step] ?? 0) + sumOfSquares(weighted.subarray(from, to));
        at += to - from;
        from = to;
      }
    },
    steps: () => sums.map((sum) => sum / length),
  };
}

function sumOfSquares(samples: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < samples.length; at += 1) sum += (samples[at] ?? 0) ** 2;
  return sum;
}

/** Returns the integrated loudness of a sound in LUFS, `-Infinity` for silence. */
export function measureLoudness(samples: Float32Array, sampleRate: number): number {
  const meter = startStepMeter(sampleRate);
  meter.push(samples);
  return integratedLoudness(meter.steps());
}
