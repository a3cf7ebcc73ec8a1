/** The seams at which several processes share the limits and the audio of one account (`ClientOptions.sharing`). */
import type { CachedSpoken, Spoken } from './cache/entry.js';
import type { CallContext, SharedCall } from './cache/flights.js';
import type { CreditLatch } from './calls/credit-latch.js';
import type { Limiter, LimiterOptions } from './calls/limiter.js';

export { decodeEntry, encodeEntry } from './cache/entry.js';
export { type CreditLatch, createCreditLatch } from './calls/credit-latch.js';
export {
  type AcquireOptions,
  createLimiter,
  type Limiter,
  limiterDefaults,
  type LimiterOptions,
} from './calls/limiter.js';
export type { CachedSpoken, CallContext, SharedCall, Spoken };

/** The state of an account that several processes share. */
export interface Sharing {
  /**
   * Returns the limiter of a client. `tryAcquire` returns false if the limiter must ask another process.
   * @param options the limits of the account
   */
  limiter(options: LimiterOptions): Limiter;
  /** Returns the credit latch of a client. */
  credits(): CreditLatch;
  /** Shares speech between processes, in addition to the cache folder. */
  speech?: SharedSpeech | undefined;
}

/** Speech that several processes share. It never fails by itself: without the other processes, `speak` calls `send`. */
export interface SharedSpeech {
  /**
   * Returns stored speech, the speech of an equal call in another process, or the speech of `send`.
   * @param key the key of the request in the cache
   * @param call `find` looks into the local files again; `send` sends the request
   * @throws SpeechError of `send`, or the signal's reason
   */
  speak(
    key: string,
    call: { find: () => Promise<Spoken | undefined>; send: SharedCall<Spoken> },
    context: CallContext,
  ): Promise<CachedSpoken>;
  /** Returns whether `speak` will probably send no request. @throws SpeechError the signal's reason */
  has(key: string, signal?: AbortSignal): Promise<boolean>;
}
