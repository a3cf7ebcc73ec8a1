/** The seams at which several processes share the limits and the audio of one account (`ClientOptions.sharing`). */
import type { CachedSpoken, Spoken } from './cache/entry.js';
import { type CallContext, Flights, type SharedCall } from './cache/flights.js';
import type { CreditLatch } from './calls/credit-latch.js';
import type { Limiter, LimiterOptions } from './calls/limiter.js';

export { linked, onAbort, reasonOf, sleep, throwIfAborted, unlessAborted } from './abort.js';
export { decodeEntry, encodeEntry, isStorable } from './cache/entry.js';
export { type CreditLatch, createCreditLatch, type RemoteCreditLatch } from './calls/credit-latch.js';
export { createLimiter, type Limiter, limiterDefaults, type LimiterOptions } from './calls/limiter.js';
export { type AcquireOptions, type Places, Queue } from './calls/queue.js';
export { lowerRate, RATES, SlidingLog, WINDOW_MS } from './calls/sliding-log.js';
export { baseUrl, usableKey } from './options.js';
export type { Bucket } from './interface/operation.js';
export type { CachedSpoken, CallContext, SharedCall, Spoken };
export { Flights };

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

/** The call of a piece, and its place in the local files. */
export interface SharedPiece {
  /** Looks into the local files again. @throws SpeechError the signal's reason */
  find(): Promise<Spoken | undefined>;
  /** Sends the request. @throws SpeechError */
  send: SharedCall<Spoken>;
  /** Stores new speech in the local files. Resolves when the file is written, also after a failed write. */
  keep(spoken: Spoken): Promise<void>;
}

/** Speech that several processes share. `speak` and `has` never fail by themselves: without the other processes, `speak` sends. */
export interface SharedSpeech {
  /**
   * Returns stored speech, the speech of an equal call in another process, or the speech of `send`. Keeps new speech.
   * @param key the key of the request in the cache
   * @throws SpeechError of `send`, or the signal's reason
   */
  speak(key: string, piece: SharedPiece, context: CallContext): Promise<CachedSpoken>;
  /** Returns whether `speak` will probably send no request. @throws SpeechError the signal's reason */
  has(key: string, signal?: AbortSignal): Promise<boolean>;
  /** Returns the number of shared entries and their bytes. @throws SpeechError `no-connection` */
  size(): Promise<{ bytes: number; entries: number }>;
  /** Deletes all shared entries, not the local files. @throws SpeechError `no-connection` */
  clear(): Promise<void>;
}
