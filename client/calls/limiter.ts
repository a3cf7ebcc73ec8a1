import { reasonOf, throwIfAborted } from '../abort.js';
import { SpeechError } from '../errors.js';
import type { Bucket } from '../interface/operation.js';
import { text } from '../messages.js';
import { isFree, RATES, SlidingLog } from './sliding-log.js';

export interface AcquireOptions {
  signal: AbortSignal;
  /** Higher goes first; equal in order of arrival. Default 0. */
  priority?: number | undefined;
  /** `performance.now()` milliseconds after which a place is useless. */
  deadline?: number;
  /** Receives the seconds until a place is free. Called once, and only if the call has to wait. */
  onWait?: ((seconds: number) => void) | undefined;
}

/** Enforces the rate limits. The state is per process; a limiter shared between processes can have the same interface. */
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

interface Waiter {
  log: SlidingLog;
  priority: number;
  deadline: number;
  go: () => void;
  fail: (error: SpeechError) => void;
}

/** The waiting calls: higher priority first, equal in order of arrival. */
class Queue {
  private waiting: Waiter[] = [];
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly maxWaiting: number) {}

  /** Takes a place in `log` if one is free and no call waits. Returns whether it did. */
  take(log: SlidingLog): boolean {
    const now = performance.now();
    if (this.closed || this.waiting.length > 0 || !isFree(log, now)) return false;
    log.record(now);
    return true;
  }

  /** Waits for a place in `log`, and takes it. */
  async wait(log: SlidingLog, options: AcquireOptions): Promise<void> {
    const { signal, priority = 0, deadline = Infinity, onWait } = options;
    throwIfAborted(signal);
    if (this.closed) throw closedError();
    if (this.waiting.length >= this.maxWaiting) throw tooMany(this.maxWaiting);
    const { promise, resolve: go, reject: fail } = deferred();
    const waiter: Waiter = { log, priority, deadline, go, fail };
    const leave = () => {
      // At once: a place for a call that has ended would be lost.
      this.remove(waiter);
      fail(reasonOf(signal));
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      // If a call of the same bucket already waits, its timer is set. Scanning the queue again would make a burst O(n²).
      const behind = this.waiting.some((other) => other.log === log);
      this.insert(waiter);
      if (!behind || log.nextAt() > deadline) this.pump();
      if (this.waiting.includes(waiter)) onWait?.(Math.max(0, log.nextAt() - performance.now()) / 1000);
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
      this.remove(waiter);
    }
  }

  /** Settles all calls that can be settled now, and sets the timer for the next place. */
  pump(): void {
    clearTimeout(this.timer);
    const now = performance.now();
    this.waiting = this.waiting.filter((waiter) => !settle(waiter, now));
    const timed = this.waiting.filter(({ log }) => !log.isProbing());
    const next = timed.reduce((soonest, { log }) => Math.min(soonest, log.nextAt()), Infinity);
    if (next < Infinity) this.timer = setTimeout(() => this.pump(), Math.max(1, next - now));
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    for (const waiter of this.waiting.splice(0)) waiter.fail(closedError());
  }

  private insert(waiter: Waiter): void {
    const behind = this.waiting.findIndex(({ priority }) => priority < waiter.priority);
    this.waiting.splice(behind < 0 ? this.waiting.length : behind, 0, waiter);
  }

  private remove(waiter: Waiter): void {
    const index = this.waiting.indexOf(waiter);
    if (index < 0) return;
    this.waiting.splice(index, 1);
    if (this.waiting.length === 0) clearTimeout(this.timer);
  }
}

/**
 * Lets a waiting call go if a place is free. Fails it if no place gets free before its deadline.
 * @returns whether the call stops waiting
 */
function settle({ log, deadline, go, fail }: Waiter, now: number): boolean {
  const nextAt = log.nextAt();
  if (isFree(log, now)) {
    log.record(now);
    go();
    return true;
  }
  if (nextAt <= deadline) return false;
  fail(tooLate(nextAt));
  return true;
}

function deferred(): { promise: Promise<void>; resolve: () => void; reject: (error: SpeechError) => void } {
  let resolve = () => {};
  let reject: (error: SpeechError) => void = () => {};
  const promise = new Promise<void>((...settlers) => {
    [resolve, reject] = settlers;
  });
  return { promise, resolve, reject };
}

function closedError(): SpeechError {
  return new SpeechError('aborted', text('client-closed'));
}

function tooMany(maxWaiting: number): SpeechError {
  return new SpeechError('busy', text('calls-waiting', { limit: maxWaiting }));
}

function tooLate(nextAt: number): SpeechError {
  const retryAfter = Math.ceil((nextAt - performance.now()) / 1000);
  return new SpeechError('rate-limited', text('no-place', { seconds: retryAfter }), {
    retryAfter,
  });
}

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
    close: () => queue.close(),
  };
}
