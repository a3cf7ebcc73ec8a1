/** Messages that may wait at one node; a further one leaves at once as `busy`. */
export const MAX_WAITING = 1000;

/** Does one thing after the other: announcements come out in the order in which they came in. */
export interface Queue {
  /** How many wait or run. */
  readonly size: number;
  /**
   * Runs `work` when everything before it is over.
   * @param work must not reject
   * @returns false, and nothing is run, when too many wait
   */
  add(work: () => Promise<void>): boolean;
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>;
}

/** A queue of one at a time. */
export function createQueue(maxWaiting = MAX_WAITING): Queue {
  let size = 0;
  let last = Promise.resolve();
  const run = async (before: Promise<void>, work: () => Promise<void>) => {
    await before;
    await work();
    size -= 1;
  };
  return {
    get size() {
      return size;
    },
    add(work) {
      if (size > maxWaiting) return false;
      size += 1;
      last = run(last, work);
      return true;
    },
    async idle() {
      // What is added while this waits is waited for as well.
      for (let waitedFor; waitedFor !== last;) {
        waitedFor = last;
        await last;
      }
    },
  };
}
