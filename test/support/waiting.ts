import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any state needs on a busy computer: only a fault reaches this limit. */
const PATIENCE_MS = 40_000;

/** Milliseconds between two looks: the first ones, and the later ones of a long wait. Each look takes time from the awaited process. */
const LOOKS_MS = { least: 2, most: 20 } as const;
/** Part of the time so far after which the next look comes. */
const LOOKS_PART = 0.02;

/** A signal that does not abort. */
export const never: AbortSignal = new AbortController().signal;
// Any number of calls may wait with this signal at a time.
setMaxListeners(0, never);

/** Resolves when a condition is true. Rejects with the text of `missing` after 40 seconds. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  missing = () => 'the expected state did not occur',
): Promise<void> {
  const start = performance.now();
  while (!(await isSo())) {
    const waited = performance.now() - start;
    if (waited > PATIENCE_MS) throw new Error(missing());
    await sleep(Math.min(LOOKS_MS.most, Math.max(LOOKS_MS.least, waited * LOOKS_PART)));
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

/** Holds this process, as a computer that stands still does: no timer and no socket works. */
export const standStill = (ms: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
