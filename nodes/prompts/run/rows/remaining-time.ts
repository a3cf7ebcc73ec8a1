/** Estimates the time until the end of a run: from the rows made so far, and from the rate limit. */
export class RemainingTime {
  private readonly startedAt: number;
  private done = 0;

  /**
   * @param count rows to make
   * @param requestsPerMinute requests that the account allows
   * @param now returns milliseconds of work, without pauses
   */
  constructor(
    private readonly count: number,
    private readonly requestsPerMinute: number,
    private readonly now: () => number,
  ) {
    this.startedAt = now();
  }

  /** Notes the end of a row. */
  ended(): void {
    this.done += 1;
  }

  /** Returns the estimated seconds. Undefined before the first row has ended. */
  get secondsLeft(): number | undefined {
    if (this.done === 0) return undefined;
    const left = this.count - this.done;
    const pace = (this.now() - this.startedAt) / 1000 / this.done;
    return Math.max(pace * left, this.limited(left));
  }

  /** The limit permits the requests of one minute at once, so the pace of the first rows is too fast for the others. */
  private limited(left: number): number {
    if (this.done > this.requestsPerMinute) return 0;
    const limited = Math.min(left, Math.max(0, this.count - this.requestsPerMinute));
    return (limited * 60) / this.requestsPerMinute;
  }
}
