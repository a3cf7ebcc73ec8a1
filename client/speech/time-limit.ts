/** A time limit for the next piece of a speaker. */
export interface TimeLimit {
  /** Records a wait that the speaker announced, in milliseconds from now. */
  announce(milliseconds: number): void;
  /**
   * Waits for a piece.
   * @param allowsWaits whether the limit starts at the end of an announced wait, and not at once
   */
  during<Result>(work: () => Promise<Result>, allowsWaits: boolean): Promise<Result>;
}

/**
 * Creates a time limit. Before the first audio, the listener hears silence, so each wait counts. In the middle of a text, an
 * announced wait does not: the service is alive, and a change of the voice would be worse than a pause.
 * @param onEnd called when a piece takes more than `milliseconds`
 */
export function createTimeLimit(milliseconds: number, onEnd: () => void): TimeLimit {
  let timer: NodeJS.Timeout | undefined;
  let waitsUntil = 0;
  let isExtendable = false;
  const start = () => {
    const now = performance.now();
    clearTimeout(timer);
    timer = setTimeout(onEnd, Math.max(now, isExtendable ? waitsUntil : now) - now + milliseconds);
  };
  return {
    announce(wait) {
      const until = performance.now() + wait;
      if (until <= waitsUntil) return;
      waitsUntil = until;
      if (timer !== undefined && isExtendable) start();
    },
    async during(work, allowsWaits) {
      isExtendable = allowsWaits;
      start();
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        timer = undefined;
      }
    },
  };
}
