import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any state needs on a busy computer: only a fault reaches this limit. */
const PATIENCE_MS = 40_000;

/** A signal that does not abort. */
export const never: AbortSignal = new AbortController().signal;
// Any number of calls may wait with this signal at a time.
setMaxListeners(0, never);

/** Resolves when a condition is true. Rejects with the text of `missing` after 40 seconds. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  missing = () => 'the expected state did not occur',
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(missing());
    await sleep(2);
  }
}

/** Counts the turns of the event loop during some work. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isRunning = true;
  const count = () => {
    turns += 1;
    if (isRunning) setImmediate(count);
  };
  setImmediate(count);
  await work.finally(() => {
    isRunning = false;
  });
  return turns;
}
