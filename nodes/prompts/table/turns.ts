import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which other events get their turn. */
const TURN_MS = 10;

/** Divides long work into turns of some milliseconds. Other events happen between them. */
export class Turns {
  private end = performance.now() + TURN_MS;

  constructor(private readonly signal: AbortSignal | undefined) {}

  /** Whether the turn is over, so that the work must wait for `next`. */
  get isOver(): boolean {
    return performance.now() >= this.end;
  }

  /** Lets other events happen, and starts the next turn. @throws the reason of the signal */
  async next(): Promise<void> {
    await setImmediate();
    this.signal?.throwIfAborted();
    this.end = performance.now() + TURN_MS;
  }
}

/** Handles all items of the batches. After some milliseconds of work, other events get their turn. */
export async function takeTurns<Item>(
  batches: Iterable<readonly Item[]>,
  signal: AbortSignal | undefined,
  handle: (item: Item) => void,
): Promise<void> {
  signal?.throwIfAborted();
  const turns = new Turns(signal);
  for (const batch of batches) {
    for (const item of batch) {
      handle(item);
      if (turns.isOver) await turns.next();
    }
    if (turns.isOver) await turns.next();
  }
}
