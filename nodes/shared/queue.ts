import { SpeechError } from '@herald-speech/client';

/** Messages that may wait at one node; a further one leaves at once as `busy`. */
const MAX_WAITING = 1000;

/** Does one thing after the other: announcements come out in the order in which they came in. */
export interface Queue {
  /** How many wait or run. */
  readonly size: number;
  /**
   * Runs `work` when everything before it is over.
   * @throws SpeechError `busy` when too many wait, or what `work` throws
   */
  add<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>;
}

/** A queue of one at a time. */
export function createQueue(maxWaiting = MAX_WAITING): Queue {
  let size = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    get size() {
      return size;
    },
    async add(work) {
      if (size > maxWaiting) {
        throw new SpeechError(
          'busy',
          `${maxWaiting} messages wait at this node already: send again when fewer do`,
        );
      }
      size += 1;
      const result = last.then(work).finally(() => {
        size -= 1;
      });
      last = result.catch(() => undefined);
      return result;
    },
    async idle() {
      while (size > 0) await last;
    },
  };
}
