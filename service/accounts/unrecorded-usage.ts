import type { Log } from '../log.js';
import type { StoreError } from '../store/store-error.js';
import { rounded } from './units.js';

/** Milliseconds between two log entries. */
export const REPORT_INTERVAL = 10 * 60_000;

/** Logs usage that the database could not record. Requests during an interval share one entry. */
export class UnrecordedUsage {
  #seconds = 0;
  #requests = 0;
  #reported = -Infinity;

  /** @param now returns milliseconds of a monotonic clock */
  constructor(
    private readonly log: Log,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Adds a request. @param seconds of its audio */
  add(seconds: number, { message }: StoreError): void {
    this.#seconds += seconds;
    this.#requests += 1;
    if (this.now() - this.#reported < REPORT_INTERVAL) return;
    const requests = `${this.#requests} request${this.#requests === 1 ? '' : 's'}`;
    const usage = `${rounded(this.#seconds)} s of audio in ${requests}`;
    this.log({ level: 'error', error: `usage not recorded, ${usage}: ${message}` });
    this.#reported = this.now();
    this.#seconds = 0;
    this.#requests = 0;
  }
}
