import type { Log } from '../kit/log.js';
import { StoreError } from '../kit/store-error.js';
import { roundedSeconds, toSeconds } from '../kit/units.js';
import { HOUR, type PastUse } from './usage-record.js';

/** Milliseconds between two log entries. */
const REPORT_INTERVAL = 10 * 60_000;

/** Maximum number of combinations of hour, account and properties in memory. Usage of further ones is lost and logged. */
export const MAX_PENDING = 1000;

/** A number of requests with their audio. */
interface Sum {
  requests: number;
  /** Microseconds of audio. */
  amount: number;
}

const NOTHING: Sum = { requests: 0, amount: 0 };

/**
 * Usage that the database could not record, for example on a full disk. It stays in memory until a later attempt records it.
 * While usage is pending, the log gets its sum at each interval. Close it before the database.
 */
export class UnrecordedUsage {
  readonly #log: Log;
  readonly #record: (uses: readonly PastUse[]) => void;
  readonly #interval: number;
  readonly #pending = new Map<string, PastUse>();
  #sum = NOTHING;
  /** The part of the sum that exceeds MAX_PENDING. */
  #lost = NOTHING;
  #cause = '';
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param record records all uses, or throws a StoreError and records none
   * @param interval milliseconds between two log entries
   */
  constructor(log: Log, record: (uses: readonly PastUse[]) => void, interval = REPORT_INTERVAL) {
    this.#log = log;
    this.#record = record;
    this.#interval = interval;
  }

  /** Adds a request that the database could not record because of the error. Logs the first one. */
  add(use: PastUse, { message }: StoreError): void {
    this.#sum = plus(this.#sum, use);
    this.#cause = message;
    if (!this.#keep(use)) this.#lost = plus(this.#lost, use);
    if (this.#timer !== undefined) return;
    this.#report(this.#sum, 'not yet recorded');
    this.#timer = setInterval(() => this.#retryOrReport('not yet recorded'), this.#interval).unref();
  }

  /** Records the pending usage if the database accepts it now. Call it after a successful commit. */
  retry(): void {
    if (this.#sum.requests === 0) return;
    try {
      this.#record([...this.#pending.values()]);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#cause = error.message;
      return;
    }
    if (this.#lost.requests > 0) this.#report(this.#lost, 'lost');
    this.#clear();
  }

  /** Records the pending usage, or logs it as lost. */
  close(): void {
    this.#retryOrReport('lost');
    this.#clear();
  }

  /** Returns false if the maximum is reached. */
  #keep(use: PastUse): boolean {
    const key = JSON.stringify([use.account, Math.floor(use.at / HOUR), use.use]);
    const same = this.#pending.get(key);
    if (same === undefined && this.#pending.size >= MAX_PENDING) return false;
    this.#pending.set(key, { ...use, amount: use.amount + (same?.amount ?? 0) });
    return true;
  }

  #retryOrReport(state: string): void {
    this.retry();
    if (this.#sum.requests > 0) this.#report(this.#sum, state);
  }

  #report({ requests, amount }: Sum, state: string): void {
    const usage = `${roundedSeconds(toSeconds(amount))} s of audio in ${requests} request${requests === 1 ? '' : 's'}`;
    this.#log({ level: 'error', error: `usage ${state}, ${usage}: ${this.#cause}` });
  }

  #clear(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#pending.clear();
    this.#sum = NOTHING;
    this.#lost = NOTHING;
  }
}

function plus({ requests, amount }: Sum, use: PastUse): Sum {
  return { requests: requests + 1, amount: amount + use.amount };
}
