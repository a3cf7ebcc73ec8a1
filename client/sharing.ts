/** The seams at which several processes share the limits and the audio of one account (`ClientOptions.sharing`). */
export { linked, onAbort, OneByOne, reasonOf, sleep, throwIfAborted, unlessAborted } from './base/abort.js';
export { type CachedSpoken, decodeEntry, encodeEntry, isStorable, type Spoken } from './cache/entry.js';
export { type CallContext, Flights, type SharedCall } from './calls/flights.js';
export type { SharedPiece, SharedSpeech, Sharing } from './cache/shared-speech.js';
export { type CreditLatch, createCreditLatch, type RemoteCreditLatch } from './calls/credit-latch.js';
export { createLimiter, type Limiter, limiterDefaults, type LimiterOptions } from './calls/limiter.js';
export { type AcquireOptions, type Places, Queue } from './calls/queue.js';
export { lowerRate, RATES, SlidingLog, WINDOW_MS } from './calls/sliding-log.js';
export { baseUrl, usableKey } from './base/url-and-key.js';
export type { Bucket } from './interface/operation.js';
