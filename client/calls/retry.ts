import { sleep } from '../abort.js';
import { asSpeechError, mayRetry, type SpeechError } from '../errors.js';

export const retryDefaults = {
  /** How often a call is sent at most, the first time included. */
  attempts: 4,
  /** Milliseconds: the first wait is between 0 and this after a failure, and at least half of it after a 429. */
  backoffBase: 500,
  /** Milliseconds that a wait of our own choosing never exceeds; a Retry-After may be longer. */
  backoffCap: 30_000,
  /** Retries in hand before calls must succeed to earn more: keeps a dead service from being hammered. */
  retryBudget: 10,
};

export type RetryOptions = typeof retryDefaults;

/** What a success earns back of one retry: at most one retry for five good calls once the budget is spent. */
const EARNED_PER_SUCCESS = 0.2;
/** A budget that is spent comes back by itself, so that a service that recovers is noticed. */
const MS_PER_EARNED_RETRY = 10_000;

/** Retries that all calls of one account share. */
export interface RetryBudget {
  /** Takes one retry; false when none is left. */
  take(): boolean;
  earn(): void;
}

/** A token bucket of at most `size` retries, filled by successes and, slowly, by time. */
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
 * The wait before try `attempt + 1`: exponential, with full jitter, so that callers that failed together don't come
 * back together.
 * @param attempt how often the call was sent so far, from 1
 * @param random a number from 0 to below 1
 * @returns milliseconds
 */
export function backoff(attempt: number, options: RetryOptions, random: number): number {
  return random * Math.min(options.backoffCap, options.backoffBase * 2 ** (attempt - 1));
}

export interface RetryContext<Reply> {
  /** Waits for the right to send, before every try. What it throws is final: nothing was sent. */
  admit(): Promise<void>;
  send(): Promise<Reply>;
  options: RetryOptions;
  budget: RetryBudget;
  idempotent: boolean;
  signal: AbortSignal;
  /** `performance.now()` by which the call must be over. */
  deadline: number;
  /** Seconds until the next try. */
  onWait?: ((seconds: number) => void) | undefined;
  /** Told of every failed try and of the wait (ms) that it asks for; after a 429, `admit` has to wait so long. */
  onFailure(error: SpeechError, wait: number): void;
}

/**
 * Sends until it succeeds, may not be repeated, or runs out of attempts, time or budget.
 * @throws SpeechError the last failure, with `retryAfter` where the service asked for more time than is left (a
 *   Retry-After is a floor, RFC 9110, 10.2.3)
 */
export async function retry<Reply>(context: RetryContext<Reply>): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    await context.admit();
    try {
      const reply = await context.send();
      context.budget.earn();
      return reply;
    } catch (thrown) {
      await beforeNext(asSpeechError(thrown), attempt, context);
    }
  }
}

/** Waits for the next try, or throws the failure when there is to be none. */
async function beforeNext<Reply>(
  error: SpeechError,
  attempt: number,
  context: RetryContext<Reply>,
): Promise<void> {
  const { options, signal, deadline, idempotent, budget } = context;
  if (signal.aborted) throw error;
  const wait = waitAfter(error, attempt, options);
  context.onFailure(error, wait);
  if (!mayRetry(error, idempotent) || attempt >= options.attempts) throw error;
  if (performance.now() + wait > deadline) throw tooLong(error, wait);
  // After a 429 the call waits in the limiter's queue, before all who ask later, and not twice.
  if (error.code === 'rate-limited') return;
  if (!budget.take()) throw error.with({ message: `${error.message}; too many retries of late` });
  context.onWait?.(wait / 1000);
  await sleep(wait, signal);
}

/** Milliseconds to wait after a failure. A 429 waits at least half of the full backoff: it will not pass by itself. */
function waitAfter(error: SpeechError, attempt: number, options: RetryOptions): number {
  const random = error.code === 'rate-limited' ? 0.5 + Math.random() / 2 : Math.random();
  return Math.max((error.retryAfter ?? 0) * 1000, backoff(attempt, options, random));
}

function tooLong(error: SpeechError, wait: number): SpeechError {
  const retryAfter = Math.ceil(wait / 1000);
  const message = `${error.message}; the next try in ${retryAfter} s is past the deadline`;
  return error.with({ message, retryAfter });
}
