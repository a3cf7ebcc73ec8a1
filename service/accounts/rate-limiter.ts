import { type Tier, tiers } from './tiers.js';

/** What is counted, each on its own. */
export type RateKind = 'request' | 'clone';

export type RateDecision = { allowed: true } | { allowed: false; /** Whole seconds. */ retryAfter: number };

/** Milliseconds of the window that no limit is passed in, wherever it starts. */
const WINDOW = 60_000;

/** Accounts with a log; past that, the logs of those who were silent for a window go. */
const SWEEP_AT = 1000;

/**
 * A sliding log of what each account was allowed: never more than its tier's number in any 60 seconds. What is refused
 * does not count. A log holds at most 60 times.
 */
export class RateLimiter {
  readonly #logs = new Map<string, number[]>();
  #sweepAt = SWEEP_AT;

  /** @param now milliseconds of a clock that never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {}

  take({ id, tier }: { id: string; tier: Tier }, kind: RateKind): RateDecision {
    const limit = tiers[tier][kind];
    if (limit === Infinity) return { allowed: true };
    const now = this.now();
    const log = this.#logOf(`${kind} ${id}`, now);
    // Where a tier went down, more than its number may be in the log.
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

  /** Next time at twice of what stays, so that the work per call stays small however many accounts are busy. */
  #sweep(now: number): void {
    for (const [key, log] of this.#logs) {
      if ((log.at(-1) ?? now) <= now - WINDOW) this.#logs.delete(key);
    }
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#logs.size);
  }
}
