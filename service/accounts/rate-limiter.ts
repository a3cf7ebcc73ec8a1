import { type Tier, tiers } from './tiers.js';

/** The separate limits of an account. */
export type RateKind = 'request' | 'clone';

export type RateDecision = { allowed: true } | { allowed: false; /** Whole seconds. */ retryAfter: number };

/** Milliseconds. A limit applies to each period of this length. */
const WINDOW = 60_000;

/** Maximum number of logs, at first. Above it, the limiter deletes the logs without an entry in the window. */
const SWEEP_AT = 1000;

/**
 * A sliding log of the accepted requests of each account. Any 60 seconds contain at most the number of the account's
 * tier (docs/interface.md#limits). Refused requests do not count. A log has at most 60 entries.
 */
export class RateLimiter {
  readonly #now: () => number;
  readonly #logs = new Map<string, number[]>();
  #sweepAt = SWEEP_AT;

  /** @param now returns milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts a request or clone of an account, unless it exceeds the limit. */
  take({ id, tier }: { id: string; tier: Tier }, kind: RateKind): RateDecision {
    const limit = tiers[tier][kind];
    if (limit === Infinity) return { allowed: true };
    const now = this.#now();
    const log = this.#logOf(`${kind} ${id}`, now);
    // After a change to a lower tier, the log can have more entries than the limit.
    const [oldest] = log.slice(-limit);
    if (log.length >= limit && oldest !== undefined) {
      return { allowed: false, retryAfter: Math.max(1, Math.ceil((oldest + WINDOW - now) / 1000)) };
    }
    log.push(now);
    return { allowed: true };
  }

  #logOf(key: string, now: number): number[] {
    const log = (this.#logs.get(key) ?? []).filter((at) => at > now - WINDOW);
    this.#logs.set(key, log);
    if (this.#logs.size > this.#sweepAt) this.#sweep(now);
    return log;
  }

  /** Deletes old logs. The next sweep waits for twice the remaining number, so that the work per call stays constant. */
  #sweep(now: number): void {
    for (const [key, log] of this.#logs) {
      if ((log.at(-1) ?? now) <= now - WINDOW) this.#logs.delete(key);
    }
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#logs.size);
  }
}
