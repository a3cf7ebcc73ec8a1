import { isNativeError } from 'node:util/types';
import vm from 'node:vm';

/**
 * Runs work that blocks, for a limited time: only the machinery of `vm` can interrupt it from the same thread.
 * @param timeLimit Milliseconds.
 * @returns what the work gives, or undefined where the time was up; then nothing that it used can be relied on
 */
export function withinTime<Result>(timeLimit: number, work: () => Result): Result | undefined {
  const results: Result[] = [];
  try {
    vm.runInNewContext('work()', { work: () => void results.push(work()) }, { timeout: timeLimit });
  } catch (error) {
    if (!isTimeout(error)) throw error;
  }
  return results[0];
}

/** The error comes from a world of its own, where `Error` is another class. */
function isTimeout(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
