import { sleep, type Stop } from '../base/abort.js';
import { asSpeechError, mayRetry, type SpeechError } from '../base/errors.js';
import { messageOf, text } from '../base/messages.js';

export const retryDefaults = {
  /** Maximum number of tries of a call, including the first. */
  attempts: 4,
  /** Milliseconds. The first wait is random: up to this value after a failure, at least half of it after a 429. */
  backoffBase: 500,
  /** Longest random wait in milliseconds; a Retry-After may be longer. */
  backoffCap: 30_000,
  /** Retries without a success in between. The limit protects a failing service from a flood of retries. */
  retryBudget: 10,
};

export type RetryOptions = typeof retryDefaults;

/** Retries that a success adds to the budget. A spent budget allows one retry for five successes. */
const EARNED_PER_SUCCESS = 0.2;
/** Milliseconds after which the budget regains one retry, so that calls notice when the service recovers. */
const MS_PER_EARNED_RETRY = 10_000;

/** The retries that all calls of one account share. */
export interface RetryBudget {
  /** Takes one retry. Returns false if the budget is spent. */
  take(): boolean;
  earn(): void;
}

/** Creates a token bucket of `size` retries. Successes and time refill it. */
export function createRetryBudget(size: number): RetryBudget {
  let left = size;
  let filledAt = performance.now();
  const fill = (amount: number) => {
    left = Math.min(size, left + amount);
  };
  return {
    take() {
      const now = performance.now();
      fill((now - filledAt) / MS_PER_EARNED_RETRY);
      filledAt = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    earn: () => fill(EARNED_PER_SUCCESS),
  };
}

/**
 * Returns the milliseconds before try `attempt + 1`: exponential, with full jitter, so that calls that failed together
 * retry at different times.
 * @param attempt number of tries so far, from 1
 * @param random from 0 (inclusive) to 1 (exclusive)
 */
export function backoff(attempt: number, options: RetryOptions, random: number): number {
  return random * Math.min(options.backoffCap, options.backoffBase * 2 ** (attempt - 1));
}

/** The tries of a request, or the attempts at a piece of a text. */
export interface Tries {
  /** Tries so far. */
  count: number;
  /** Maximum number of tries. */
  most: number;
  /** `performance.now()` milliseconds after which no further try starts. */
  deadline: number;
}

/** Returns why no further try may start after `wait` milliseconds; undefined if one may. */
export function endOfTries({ count, most, deadline }: Tries, wait: number): 'count' | 'deadline' | undefined {
  if (count >= most) return 'count';
  return performance.now() + wait > deadline ? 'deadline' : undefined;
}

/** A failed try. `wait` is the time before the next try in milliseconds. After a 429, `admit` must wait so long. */
export interface Failure {
  error: SpeechError;
  wait: number;
}

interface RetryContext<Reply> {
  /** Waits for the rate limit before each try. Its errors end the call: the request was not sent. */
  admit(): Promise<void>;
  send(): Promise<Reply>;
  options: RetryOptions;
  budget: RetryBudget;
  idempotent: boolean;
  stop: Stop;
  /** `performance.now()` milliseconds at which the call must end. */
  deadline: number;
  /** Receives the seconds until the next try. */
  onWait?: ((seconds: number) => void) | undefined;
  /** Called after each try. `failure` is undefined after a success and after an abort. */
  onEnd(failure?: Failure): void;
}

/**
 * Sends a call until it succeeds, its failure forbids a retry, or attempts, time or budget run out.
 * @throws SpeechError the last failure; with `retryAfter` if the wait would pass the deadline (a Retry-After is a
 *   minimum: RFC 9110, 10.2.3)
 */
export async function retry<Reply>(context: RetryContext<Reply>): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    await context.admit();
    try {
      const reply = await context.send();
      context.budget.earn();
      context.onEnd();
      return reply;
    } catch (thrown) {
      await beforeNext(asSpeechError(thrown), attempt, context);
    }
  }
}

/** Waits for the next try. Throws the failure if no further try is allowed. */
async function beforeNext<Reply>(
  error: SpeechError,
  attempt: number,
  context: RetryContext<Reply>,
): Promise<void> {
  const { options, stop, deadline, idempotent, budget } = context;
  const wait = waitAfter(error, attempt, options);
  const isStopped = stop.reason !== undefined;
  context.onEnd(isStopped ? undefined : { error, wait });
  if (isStopped) throw error;
  const end = endOfTries({ count: attempt, most: options.attempts, deadline }, wait);
  if (!mayRetry(error, idempotent) || end === 'count') throw error;
  if (end === 'deadline') throw tooLong(error, wait);
  // After a 429, the call waits in the limiter's queue, ahead of later calls. A wait here would be a second one.
  if (error.code === 'rate-limited') return;
  if (!budget.take()) throw error.with({ message: text('no-more-tries', { failure: messageOf(error) }) });
  context.onWait?.(wait / 1000);
  await sleep(wait, stop.signal);
}

/** Returns the milliseconds to wait after a failure. After a 429, the wait is at least half of the full backoff. */
function waitAfter(error: SpeechError, attempt: number, options: RetryOptions): number {
  const random = error.code === 'rate-limited' ? 0.5 + Math.random() / 2 : Math.random();
  return Math.max((error.retryAfter ?? 0) * 1000, backoff(attempt, options, random));
}

function tooLong(error: SpeechError, wait: number): SpeechError {
  const retryAfter = Math.ceil(wait / 1000);
  const message = text('next-try-late', { failure: messageOf(error), seconds: retryAfter });
  return error.with({ message, retryAfter });
}
