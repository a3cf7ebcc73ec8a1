/**
 * The state of a call: queued behind an equal call of another process, waiting for the rate limit or the next try, sending, or
 * speaking. `done` of `count` chunks of a text are complete.
 */
export type Progress =
  | { state: 'queued' }
  | { state: 'waiting'; seconds: number }
  | { state: 'sending' }
  | { state: 'speaking'; done: number; count: number };

/** Reports the progress of a text of `count` chunks in place of the progress of its requests. */
export class TextProgress {
  /** @param done chunks that are complete at the start */
  constructor(
    private readonly receive: ((progress: Progress) => void) | undefined,
    private readonly count: number,
    private done = 0,
  ) {}

  /** Receives the progress of a request. */
  readonly ofRequest = (progress: Progress): void =>
    progress.state === 'sending' ? this.report() : this.receive?.(progress);

  /** Counts a complete chunk. */
  completed(): void {
    this.done += 1;
    this.report();
  }

  private report(): void {
    this.receive?.({ state: 'speaking', done: this.done, count: this.count });
  }
}
