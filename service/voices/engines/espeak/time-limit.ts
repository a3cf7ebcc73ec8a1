import { isNativeError } from 'node:util/types';
import vm from 'node:vm';

/**
 * Runs blocking work with a time limit. Only `vm` can interrupt it from the same thread.
 * @param timeLimit Milliseconds.
 * @returns the result of the work, or undefined after the time limit; then the objects that it used are unusable
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

/** The error comes from another context, where `Error` is another class. */
function isTimeout(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
