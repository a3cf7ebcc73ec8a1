import { OneByOne, reasonOf } from '../base/abort.js';

/** The error of file work that did not end in time. */
export class LateError extends Error {
  constructor() {
    super('the folder does not answer');
  }
}

/** The limits of one piece of file work. */
export interface LaneLimits {
  /** Milliseconds, waiting included. */
  timeout: number;
  signal?: AbortSignal | undefined;
}

/**
 * Runs file work one after the other, each with a time limit. Node.js cannot end a system call that hangs, for example on a
 * dead network share. Thus such a call occupies only one of the four threads with which Node.js reads files and looks up host
 * names, and all other work fails at once until the call ends.
 */
export class FileLane {
  private readonly works = new OneByOne();
  /** Start of the current work in `performance.now()` milliseconds. */
  private startedAt = Infinity;
  private hangs = false;
  private stopped = false;

  /**
   * Runs work after all earlier work.
   * @throws LateError after the time limit, or at once while earlier work hangs; the signal's reason as SpeechError; or the
   *   error of the work
   */
  async run<Result>(work: () => Promise<Result>, { timeout, signal }: LaneLimits): Promise<Result> {
    if (this.hangs || this.stopped) throw new LateError();
    if (signal?.aborted) throw reasonOf(signal);
    let left: Error | undefined;
    const turn = this.works.run(() => {
      if (left !== undefined) throw left;
      return this.begin(work);
    });
    return new Promise<Result>((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
      };
      const stop = (error: Error) => {
        settle();
        left = error;
        reject(error);
      };
      const aborted = () => stop(signal === undefined ? new LateError() : reasonOf(signal));
      const timer = setTimeout(() => {
        this.checkHanging(timeout);
        stop(new LateError());
      }, timeout);
      signal?.addEventListener('abort', aborted, { once: true });
      turn.finally(settle).then(resolve, reject);
    });
  }

  /** Runs no more work, also none that waits. */
  stop(): void {
    this.stopped = true;
  }

  private async begin<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.stopped) throw new LateError();
    this.startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.startedAt = Infinity;
      this.hangs = false;
    }
  }

  /** Work that needs longer than the time limit of a caller hangs until it ends. */
  private checkHanging(timeout: number): void {
    // A timer may fire one millisecond early.
    this.hangs ||= performance.now() - this.startedAt >= timeout - 1;
  }
}
