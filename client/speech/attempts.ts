import { mayRetry, type SpeechError } from '../base/errors.js';
import { endOfTries, type Tries } from '../calls/retry.js';
import { operations } from '../interface/operations.js';

/** The attempts at one piece of a text, in addition to the tries of each request (docs/decisions/0040). */
export interface Retries {
  /** Maximum number of attempts, including the first. */
  attempts: number;
  /** Seconds after the start of the first attempt, after which no further attempt starts. */
  wait: number;
  /** True for a work of hours: it waits for the rate limit as long as that takes, without using up attempts and time. */
  isPatient?: boolean;
}

/** The attempts at the next piece of a text. */
export class Attempts {
  /** Requests of the failed attempts that a further one followed. */
  private requests = 0;
  private readonly tries: Tries;

  constructor(private readonly retries: Retries = { attempts: 1, wait: 0 }) {
    const { attempts: most, wait } = retries;
    this.tries = { count: 1, most, deadline: performance.now() + wait * 1000 };
  }

  /**
   * Counts a failed attempt. Returns the seconds before the next one: 2 ** n after attempt n, or longer if the service requires
   * it. Returns undefined if the failure is final.
   */
  secondsUntilNext(error: SpeechError): number | undefined {
    const { tries, retries } = this;
    const seconds = Math.max(error.retryAfter ?? 0, 2 ** tries.count);
    if (retries.isPatient === true && error.code === 'rate-limited') {
      tries.deadline += seconds * 1000;
      this.requests += error.attempts;
      return seconds;
    }
    if (!canPass(error) || endOfTries(tries, seconds * 1000) !== undefined) return undefined;
    tries.count += 1;
    this.requests += error.attempts;
    return seconds;
  }

  /** Returns the final failure, with the requests of all attempts. */
  counted(error: SpeechError): SpeechError {
    return this.requests === 0 ? error : error.with({ attempts: this.requests + error.attempts });
  }
}

/**
 * Returns whether a further attempt can help without a second charge for the failed request. After `no-reply` and
 * `timed-out`, the service may have charged each request. The client has already repeated these requests.
 */
function canPass(error: SpeechError): boolean {
  if (error.code === 'no-reply' || error.code === 'timed-out') return false;
  const operation = Object.values(operations).find(({ name }) => name === error.operation);
  return mayRetry(error, operation?.idempotent ?? true);
}
