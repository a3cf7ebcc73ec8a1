import { linked } from '../abort.js';

/**
 * Maps items to results in the order of the items, `concurrency` items at a time.
 * The first failure aborts the others, and is thrown after all have ended.
 */
export function mapInOrder<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  parent: AbortSignal | undefined,
  work: (item: Item, index: number, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  return linked([parent], async (signal, controller) => {
    const results: Result[] = [];
    const queue = items.entries();
    const worker = async () => {
      // All workers share one iterator, so each takes the next free item.
      for (const [index, item] of queue) results[index] = await work(item, index, signal);
    };
    const workers = Array.from({ length: Math.min(concurrency, items.length) }, worker);
    try {
      await Promise.all(workers);
      return results;
    } catch (failure) {
      controller.abort();
      await Promise.allSettled(workers);
      throw failure;
    }
  });
}
