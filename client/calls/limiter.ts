import type { Bucket } from '../interface/operation.js';
import { type AcquireOptions, Queue } from './queue.js';
import { RATES, SlidingLog } from './sliding-log.js';

/** Enforces the rate limits. The state is per process, unless the client has the option `sharing`. */
export interface Limiter {
  /** Takes a place if one is free and no call waits. Returns whether it did. */
  tryAcquire(bucket: Bucket): boolean;
  /** Resolves when a request of this bucket may be sent. Rejects with a SpeechError. */
  acquire(bucket: Bucket, options: AcquireOptions): Promise<void>;
  /**
   * Stops requests of this bucket until `until` (`performance.now()` milliseconds). Then grants one place, as a probe,
   * and the next place after `ended` for that request: a service that recovers must not get all waiting calls at once.
   */
  pause(bucket: Bucket, until: number): void;
  /** Must be called after each request, with the time at which it was sent (`performance.now()` milliseconds). */
  ended(bucket: Bucket, sentAt: number): void;
  /** Lowers an automatic limit to the next rate, after a 429 to a request sent at `sentAt`. */
  stepDown(bucket: Bucket, sentAt: number): void;
  /** Replaces an automatic or infinite limit by requests per minute that the service states. */
  resize(bucket: Bucket, perMinute: number): void;
  /** Rejects all waiting calls and stops the timer. */
  close(): void;
}

export const limiterDefaults = {
  requestsPerMinute: 'auto' as number | 'auto',
  /** docs/interface.md#limits */
  clonesPerMinute: 10,
  /** Waiting calls; one more fails as `busy`. */
  maxWaiting: 10_000,
};

export type LimiterOptions = typeof limiterDefaults;

/** Creates a limiter with the rate limits of an account (docs/interface.md#limits). */
export function createLimiter(options: Partial<LimiterOptions> = {}): Limiter {
  const { requestsPerMinute, clonesPerMinute, maxWaiting } = { ...limiterDefaults, ...options };
  const automatic = requestsPerMinute === 'auto';
  const general = new SlidingLog(automatic ? RATES[0] : requestsPerMinute, automatic);
  // A clone counts against both limits.
  const logs = { general, clone: new SlidingLog(clonesPerMinute, false, general) };
  const queue = new Queue(maxWaiting);
  return {
    tryAcquire: (bucket) => queue.take(logs[bucket]),
    acquire: (bucket, acquireOptions) => queue.wait(logs[bucket], acquireOptions),
    pause(bucket, until) {
      logs[bucket].pause(until);
      queue.pump();
    },
    ended(bucket, sentAt) {
      if (logs[bucket].ended(sentAt)) queue.pump();
    },
    stepDown: (bucket, sentAt) => logs[bucket].stepDown(sentAt),
    resize(bucket, perMinute) {
      if (automatic || requestsPerMinute === Infinity) logs[bucket].resize(perMinute);
    },
    close: () => queue.close(),
  };
}
