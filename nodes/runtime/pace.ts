import { setTimeout as sleep } from 'node:timers/promises';

/** Least milliseconds between the return of a message and its next failure. */
const LOOP_MS = 1000;

/**
 * Runs work on a message that came back. If it fails again, the failure waits until a second has passed, so that a loop
 * without a delay uses neither the processor nor the service without a limit. The signal ends the wait.
 * @throws the failure, or the signal's reason
 */
export async function pace<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  try {
    return await work();
  } catch (thrown) {
    const rest = LOOP_MS - (performance.now() - startedAt);
    if (rest > 0) await sleep(rest, undefined, { signal }).catch(() => undefined);
    // A message that is stopped meanwhile leaves as stopped: its failure would send it through the loop again.
    signal.throwIfAborted();
    throw thrown;
  }
}
