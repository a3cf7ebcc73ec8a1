import { linked } from '../abort.js';

/**
 * Works on several items at a time and gives the results in the items' order.
 * The first failure stops the rest, and is thrown once nothing runs any more.
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
      // One iterator for all workers: each takes the next item that nobody has.
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
