import { onAbort, throwIfAborted } from '../base/abort.js';

interface OrderOptions {
  /** Items in work at the same time. */
  concurrency: number;
  signal?: AbortSignal | undefined;
}

type Work<Item, Result> = (item: Item, index: number, signal: AbortSignal) => Promise<Result>;
type Outcome<Result> = { result: Result } | { failure: unknown };

/** An item in work, or its outcome that waits for the reader. */
interface Task<Result> {
  outcome: Promise<Outcome<Result>>;
  controller: AbortController;
}

/** Items in work plus results that wait for the reader, as a multiple of `concurrency`. */
const AHEAD = 2;

/**
 * Yields the results of items in the order of the items. Works on `concurrency` items at a time, also while the caller
 * handles a result. Starts no item while 2 x `concurrency` results are in work or wait for the caller.
 *
 * A failure aborts the items after it. The results before it are still yielded, because they may be paid. Throws the
 * failure after all work has ended. The signal, and the end of the iteration, abort all items.
 */
export async function* inOrder<Item, Result>(
  items: readonly Item[],
  { concurrency, signal }: OrderOptions,
  work: Work<Item, Result>,
): AsyncGenerator<Result, void, undefined> {
  const results = new ResultsInOrder(items, { concurrency, signal }, work);
  try {
    for (const _item of items) yield await results.next();
  } finally {
    await results.end();
  }
}

/** Maps items to results as `inOrder` does, without a limit on the number of waiting results. */
export async function mapInOrder<Item, Result>(
  items: readonly Item[],
  options: OrderOptions,
  work: Work<Item, Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for await (const result of inOrder(items, options, work)) results.push(result);
  return results;
}

/** The items that are in work or wait for the reader, as `inOrder` describes them. */
export class ResultsInOrder<Item, Result> {
  private readonly tasks = new Map<number, Task<Result>>();
  private readonly queue: ArrayIterator<[number, Item]>;
  private readonly concurrency: number;
  private readonly signal: AbortSignal | undefined;
  private readonly unlink: () => void;
  /** The number of results that the reader has taken. */
  private taken = 0;
  private running = 0;
  private open = true;

  constructor(
    items: readonly Item[],
    { concurrency, signal }: OrderOptions,
    private readonly work: Work<Item, Result>,
  ) {
    this.queue = items.entries();
    this.concurrency = concurrency;
    this.signal = signal;
    this.unlink = onAbort(signal, (reason) => this.stop(0, reason));
  }

  /** Resolves with the next result, which then no longer counts as waiting. @throws its failure, or the signal's reason */
  async next(): Promise<Result> {
    const index = this.taken++;
    this.fill();
    const outcome = await this.tasks.get(index)?.outcome;
    this.tasks.delete(index);
    this.fill();
    if (this.signal !== undefined) throwIfAborted(this.signal);
    if (outcome === undefined) throw new Error(`item ${index} was not started`);
    if ('failure' in outcome) throw outcome.failure;
    return outcome.result;
  }

  /** Starts no further item, and aborts the items from `index` on. */
  private stop(index: number, reason?: unknown): void {
    this.open = false;
    for (const [at, { controller }] of this.tasks) if (at >= index) controller.abort(reason);
  }

  /** Aborts all items. Resolves when they have ended. */
  async end(): Promise<void> {
    this.stop(0);
    await Promise.all(Array.from(this.tasks.values(), ({ outcome }) => outcome));
    this.unlink();
  }

  private fill(): void {
    while (this.open && this.running < this.concurrency && this.tasks.size < AHEAD * this.concurrency) {
      const next = this.queue.next();
      if (next.done === true) return;
      const [index, item] = next.value;
      const controller = new AbortController();
      this.running += 1;
      this.tasks.set(index, { controller, outcome: this.start(item, index, controller.signal) });
    }
  }

  /** Never rejects: the reader may take the outcome much later. */
  private async start(item: Item, index: number, signal: AbortSignal): Promise<Outcome<Result>> {
    try {
      return { result: await this.work(item, index, signal) };
    } catch (failure) {
      this.stop(index + 1);
      return { failure };
    } finally {
      this.running -= 1;
      this.fill();
    }
  }
}
