import type { Places } from './queue.js';

/** Requests per minute of the account types (docs/interface.md#limits). The service does not report an account's type. */
export const RATES = [60, 30, 20] as const;

/** A minute, plus a margin for requests with different travel times. */
export const WINDOW_MS = 60_100;

/** The requests sent under one rate limit: at most `limit` in any window. */
export class SlidingLog implements Places {
  private readonly sent: number[] = [];
  private pausedUntil = 0;
  private steppedAt = 0;
  /** The first request after a pause: not sent yet, or the time at which it was sent. */
  private probe: 'due' | number | undefined;

  /**
   * @param whole a second limit that each request counts against
   * @param windowMs milliseconds of a window
   */
  constructor(
    private limit: number,
    private readonly automatic = false,
    private readonly whole?: SlidingLog,
    private readonly windowMs = WINDOW_MS,
  ) {}

  /** Replaces the limit. */
  resize(limit: number): void {
    this.limit = limit;
  }

  isFree(now: number): boolean {
    return this.nextAt() <= now && !this.isProbing();
  }

  isTimed(): boolean {
    return !this.isProbing();
  }

  /** Returns when the next request may be sent: after the pause, and a window after the `limit`-th last request. */
  nextAt(): number {
    const oldest = this.sent.at(-this.limit);
    const own = oldest === undefined ? 0 : oldest + this.windowMs;
    return Math.max(this.pausedUntil, own, this.whole?.nextAt() ?? 0);
  }

  /** Returns whether the probe after a pause has no reply yet. */
  private isProbing(): boolean {
    return typeof this.probe === 'number' || this.whole?.isProbing() === true;
  }

  /** Records a request. An infinite limit needs no record. */
  record(now: number): void {
    this.whole?.record(now);
    if (this.probe === 'due') this.probe = now;
    if (!Number.isFinite(this.limit)) return;
    this.sent.push(now);
    const recent = this.sent.findIndex((sentAt) => sentAt + this.windowMs > now);
    this.sent.splice(0, recent);
  }

  /** Moves a recorded request to a later time, at which it was sent. */
  move(from: number, to: number): void {
    this.whole?.move(from, to);
    const index = this.sent.indexOf(from);
    if (index < 0) return;
    this.sent.splice(index, 1);
    this.sent.push(to);
  }

  pause(until: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, until);
    this.probe = 'due';
  }

  /** Ends the probe, unless the request was sent before it. Returns whether a probe has ended. */
  ended(sentAt: number): boolean {
    const isProbe = typeof this.probe === 'number' && sentAt >= this.probe;
    if (isProbe) this.probe = undefined;
    return this.whole?.ended(sentAt) === true || isProbe;
  }

  stepDown(sentAt: number): void {
    // Several 429s of one burst lower the limit once.
    if (!this.automatic || sentAt < this.steppedAt) return;
    this.limit = lowerRate(this.limit);
    this.steppedAt = performance.now();
  }
}

/** Returns the next lower rate of the account types. */
export const lowerRate = (limit: number): number => RATES.find((rate) => rate < limit) ?? limit;
