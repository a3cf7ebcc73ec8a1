import { setTimeout as delay } from 'node:timers/promises';
import { TransferError } from './transfer-error.js';

export interface RetryLimits {
  /** Tries in a row without progress. */
  tries: number;
  /** Tries in all. */
  allTries: number;
  /** Milliseconds before the second try. The wait doubles with each try without progress. */
  backoff: number;
}

/**
 * Repeats `work` after temporary failures.
 * @param progress returns a number that grows with each new byte
 * @throws the last failure; an AbortError
 */
export async function repeat<Result>(
  work: () => Promise<Result>,
  { tries, allTries, backoff }: RetryLimits,
  signal: AbortSignal,
  progress: () => number = () => 0,
): Promise<Result> {
  let inVain = 0;
  for (let count = 1; ; count += 1) {
    const before = progress();
    try {
      return await work();
    } catch (error) {
      inVain = progress() > before ? 0 : inVain + 1;
      const isTemporary = error instanceof TransferError && error.isTemporary;
      if (!isTemporary || inVain >= tries || count >= allTries) throw error;
      await delay(Math.max(error.wait, backoff * 2 ** Math.max(0, inVain - 1)), undefined, { signal });
    }
  }
}
