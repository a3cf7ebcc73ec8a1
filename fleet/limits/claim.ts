import { LOAN_MS } from './lua.js';

/** Time of Redis in milliseconds, and the time at which it arrived. */
interface ClockReading {
  time: number;
  receivedAt: number;
}

/**
 * The share of the limits that a member may use without Redis. Redis keeps it for the member, unless the member lends it
 * (docs/decisions/0170-shares-that-members-lend.md). Times are `performance.now()` milliseconds unless stated otherwise.
 */
export class Claim {
  /** The share is a limit divided by this number. 0 before the first reply. */
  divisor = 0;
  /** The share belongs to this member from this time on: a window after the end of its loan. */
  from = 0;
  private clock: ClockReading = { time: 0, receivedAt: 0 };

  /** @param windowMs milliseconds for which a place counts */
  constructor(private readonly windowMs: number) {}

  /** Takes the reply to a sign of life. Returns whether the share has changed. */
  update(time: number, divisor: number, ownsShare: boolean): boolean {
    const now = performance.now();
    const { divisor: former, from } = this;
    if (ownsShare) this.from = 0;
    else if (from === 0) this.from = now + LOAN_MS + this.windowMs;
    this.setClock(time);
    this.divisor = divisor;
    return divisor !== former || this.from !== from;
  }

  /** Takes the time of Redis from a reply. */
  setClock(time: number): void {
    this.clock = { time, receivedAt: performance.now() };
  }

  /** Lends the share for some seconds. */
  lend(): void {
    this.from = performance.now() + LOAN_MS + this.windowMs;
  }

  /** Waits with a first share: other members may have places that Redis does not know. */
  hold(milliseconds: number): void {
    if (this.divisor === 0) this.from = performance.now() + milliseconds;
  }

  /**
   * Returns the time until which the share is lent, in the clock of Redis; 0 if the share belongs to this member. A command that
   * Redis runs late extends no loan, because this time is then over.
   */
  lentUntil(): number {
    const now = performance.now();
    if (this.from <= now || this.divisor === 0) return 0;
    const { time, receivedAt } = this.clock;
    return Math.floor(time - receivedAt + this.from - this.windowMs);
  }
}
