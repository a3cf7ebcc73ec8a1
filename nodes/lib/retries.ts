import { setTimeout as sleep } from 'node:timers/promises';
import { asSpeechError, lazy, mayRetry, operations, type SpeechError, z } from '@herald-speech/client';
import { number, type Property } from './properties.js';
import type { Turn } from '../runtime/turn.js';

/** The attempts at one piece of a message, in addition to the retries of the client (docs/decisions/0040). */
export interface Retries {
  /** Most attempts, including the first. */
  attempts: number;
  /** Seconds after the start of the first attempt, after which no further attempt starts. */
  wait: number;
  /** True for a work of hours: it waits for the rate limit as long as that takes, without using up attempts and time. */
  isPatient?: boolean;
}

const MAX_ATTEMPTS = 20;
const MAX_WAIT_SECONDS = 3600;

/** The request fields of the retries, with their defaults. */
export const retryFields = lazy(() => ({
  retry_attempts: z.int().min(1).max(MAX_ATTEMPTS).default(3),
  retry_wait: z.number().min(0).max(MAX_WAIT_SECONDS).default(60),
}));

/** The node properties of the retries. */
export const retryProperties = {
  retry_attempts: number('repeat', { section: 'queue' }),
  retry_wait: number('hourglass-half', { section: 'queue' }),
} satisfies Record<string, Property>;

/**
 * Yields the items of a stream. After a failure that can pass, opens the stream again, which continues behind the last item.
 * Before attempt n + 1, waits 2 ** n seconds, or longer if the service requires it, and reports the wait. Each item resets
 * the number of attempts and the time.
 * @throws SpeechError the last failure, with the sum of `attempts` of all failures since the last item; the signal's reason
 *   if it aborts
 */
export async function* withRetries<Item>(
  { attempts, wait, isPatient = false }: Retries,
  { signal, onProgress }: Pick<Turn, 'signal' | 'onProgress'>,
  open: () => AsyncIterable<Item>,
): AsyncGenerator<Item, void, undefined> {
  let end = performance.now() + wait * 1000;
  for (let attempt = 1, sent = 0; ; attempt += 1) {
    try {
      for await (const item of open()) {
        yield item;
        [attempt, sent, end] = [1, 0, performance.now() + wait * 1000];
      }
      return;
    } catch (thrown) {
      const error = asSpeechError(thrown);
      sent += error.attempts;
      const isPlaceless = isPatient && error.code === 'rate-limited';
      const seconds = Math.max(error.retryAfter ?? 0, 2 ** attempt);
      const isLate = performance.now() + seconds * 1000 > end;
      const isLast = !isPlaceless && (attempt >= attempts || isLate);
      if (signal.aborted || isLast || !canPass(error)) throw error.with({ attempts: sent });
      if (isPlaceless) [attempt, end] = [attempt - 1, end + seconds * 1000];
      onProgress({ state: 'waiting', seconds });
      await pause(seconds, signal);
    }
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

async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
