import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which other events get their turn. */
const TURN_MS = 10;

/** Handles all items of the batches. After some milliseconds of work, other events get their turn. */
export async function takeTurns<Item>(
  batches: Iterable<readonly Item[]>,
  signal: AbortSignal | undefined,
  handle: (item: Item) => void,
): Promise<void> {
  let end = performance.now() + TURN_MS;
  const pause = async () => {
    if (performance.now() < end) return;
    await setImmediate();
    signal?.throwIfAborted();
    end = performance.now() + TURN_MS;
  };
  signal?.throwIfAborted();
  for (const batch of batches) {
    for (const item of batch) {
      handle(item);
      if (performance.now() >= end) await pause();
    }
    await pause();
  }
}
