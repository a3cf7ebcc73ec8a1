import { inSlices } from '../sound/turns.js';
import { startWeighting } from './weighting.js';

/** Seconds of a step: a gating block moves by one step (ITU-R BS.1770-5, annex 1). */
const STEP = 0.1;

/** Returns the samples of a step at a sample rate in hertz. */
export const stepLength = (sampleRate: number): number => Math.round(STEP * sampleRate);

/**
 * Measures a sound in steps of the output.
 * @param offset samples of the first step that precede the sound
 * @returns the sum of the squares after the K-weighting, divided by the samples of a step, for each step
 */
export async function stepsOf(
  samples: Float32Array,
  sampleRate: number,
  offset: number,
  signal?: AbortSignal,
): Promise<number[]> {
  const length = stepLength(sampleRate);
  const sums = new Float64Array(Math.ceil((offset + samples.length) / length));
  const weight = startWeighting(sampleRate);
  let at = offset;
  await inSlices(
    samples,
    (slice) => {
      for (const value of weight(slice)) {
        const step = Math.floor(at / length);
        sums[step] = (sums[step] ?? 0) + value * value;
        at += 1;
      }
    },
    signal,
  );
  return Array.from(sums, (sum) => sum / length);
}
