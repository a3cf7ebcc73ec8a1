import type { Prosody } from './engine.js';

/** Accepted deviation from the requested duration. */
const TOLERANCE = 0.01;
/** Maximum number of trials. The duration is almost proportional to 1 / speed, so two or three usually suffice. */
const MAX_TRIALS = 5;

/**
 * Finds the speed that gives the requested duration.
 * @param measure Returns the seconds of the whole speech at a speed.
 * @returns `speed` if no duration is requested
 */
export async function fitDuration(
  { speed, duration }: Pick<Prosody, 'speed' | 'duration'>,
  measure: (speed: number) => Promise<number>,
): Promise<number> {
  if (duration === 0) return speed;
  let fitted = speed;
  for (let trial = 0; trial < MAX_TRIALS; trial++) {
    const ratio = (await measure(fitted)) / duration;
    if (ratio === 0 || Math.abs(ratio - 1) <= TOLERANCE) break;
    fitted *= ratio;
  }
  return fitted;
}
