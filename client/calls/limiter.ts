import { reasonOf, throwIfAborted } from '../abort.js';
import { SpeechError } from '../errors.js';
import type { Bucket } from '../interface/operation.js';

export interface AcquireOptions {
  signal: AbortSignal;
  /** Higher goes first; equals keep their order. */
  priority?: number | undefined;
  /** `performance.now()` past which waiting is pointless. */
  deadline?: number;
  /** Told once, when the call can't go at once: seconds until a place is free. */
  onWait?: ((seconds: number) => void) | undefined;
}

/** Hands out the right to send. In this process now; one shared between processes has the same shape. */
export interface Limiter {
  /** Resolves when a request of this bucket may be sent. Rejects with a SpeechError. */
  acquire(bucket: Bucket, options: AcquireOptions): Promise<void>;
  /** Nothing of this bucket goes before `until` (`performance.now()` milliseconds). */
  pause(bucket: Bucket, until: number): void;
  /** The service said 429 to a request sent at `sentAt`: with `auto`, step down to the next lower allowance. */
  stepDown(bucket: Bucket, sentAt: number): void;
  /** Rejects everyone who waits, and stops all timers. */
  close(): void;
}

export const limiterDefaults = {
  requestsPerMinute: 'auto' as number | 'auto',
  /** docs/interface.md#limits */
  clonesPerMinute: 10,
  /** Calls that may wait at a time; a further one fails as `busy`. */
  maxWaiting: 10_000,
};

export type LimiterOptions = typeof limiterDefaults;

/** The three rates of the interface, highest first (docs/interface.md#limits): which one an account has is not told. */
export const RATES = [60, 30, 20] as const;

/** A minute, and a little more for requests that travel at different speeds. */
const WINDOW_MS = 60_100;

/** What was sent under one allowance: never more than `limit` requests in any window. */
class SlidingLog {
  private readonly sent: number[] = [];
  private pausedUntil = 0;
  private steppedAt = 0;

  /** @param whole the allowance that each request counts against as well */
  constructor(
    private limit: number,
    private readonly automatic = false,
    private readonly whole?: SlidingLog,
  ) {}

  /** When the next request may go: after the pause, and a window after the `limit`-th last one. */
  nextAt(): number {
    const oldest = this.sent.at(-this.limit);
    const own = oldest === undefined ? 0 : oldest + WINDOW_MS;
    return Math.max(this.pausedUntil, own, this.whole?.nextAt() ?? 0);
  }

  /** Keeps what a window of `limit` needs to know; without a limit that is nothing. */
  record(now: number): void {
    this.whole?.record(now);
    if (!Number.isFinite(this.limit)) return;
    this.sent.push(now);
    // What has left the window counts no more.
    const recent = this.sent.findIndex((sentAt) => sentAt + WINDOW_MS > now);
    this.sent.splice(0, recent);
  }

  pause(until: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, until);
  }

  stepDown(sentAt: number): void {
    // Several 429s of one burst are one piece of news.
    if (!this.automatic || sentAt < this.steppedAt) return;
    this.limit = RATES.find((rate) => rate < this.limit) ?? this.limit;
    this.steppedAt = performance.now();
  }
}

interface Waiter {
  log: SlidingLog;
  priority: number;
  deadline: number;
  go: () => void;
  fail: (error: SpeechError) => void;
}

/** Everyone who waits: higher priorities first, equals in the order they came. */
class Queue {
  private waiting: Waiter[] = [];
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly maxWaiting: number) {}

  /** Waits for a place in `log`, and takes it. */
  async wait(log: SlidingLog, options: AcquireOptions): Promise<void> {
    const { signal, priority = 0, deadline = Infinity, onWait } = options;
    throwIfAborted(signal);
    if (this.closed) throw closedError();
    if (this.waiting.length >= this.maxWaiting) throw tooMany(this.maxWaiting);
    const { promise, resolve: go, reject: fail } = deferred();
    const waiter: Waiter = { log, priority, deadline, go, fail };
    const leave = () => fail(reasonOf(signal));
    signal.addEventListener('abort', leave, { once: true });
    try {
      // Behind a call of the same kind nothing changes, and the timer is set; looking at all would take quadratic time.
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

  /** Lets everyone go who may, and looks again when the next place is free. */
  pump(): void {
    clearTimeout(this.timer);
    const now = performance.now();
    this.waiting = this.waiting.filter((waiter) => !settle(waiter, now));
    const next = this.waiting.reduce((soonest, { log }) => Math.min(soonest, log.nextAt()), Infinity);
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
 * Lets a waiter go, or tells it now, with the time, that no place is free before its deadline.
 * @returns whether it waits no longer
 */
function settle({ log, deadline, go, fail }: Waiter, now: number): boolean {
  const nextAt = log.nextAt();
  if (nextAt > now && nextAt <= deadline) return false;
  if (nextAt > now) {
    fail(tooLate(nextAt));
  } else {
    log.record(now);
    go();
  }
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
  return new SpeechError('aborted', 'the client was closed');
}

function tooMany(maxWaiting: number): SpeechError {
  return new SpeechError('busy', `${maxWaiting} calls are waiting already: send again when fewer are`);
}

function tooLate(nextAt: number): SpeechError {
  const retryAfter = Math.ceil((nextAt - performance.now()) / 1000);
  return new SpeechError(
    'rate-limited',
    `the rate limit frees a place in ${retryAfter} s, past the deadline`,
    {
      retryAfter,
    },
  );
}

/** A limiter of this process, with the account's allowances (docs/interface.md#limits). */
export function createLimiter(options: Partial<LimiterOptions> = {}): Limiter {
  const { requestsPerMinute, clonesPerMinute, maxWaiting } = { ...limiterDefaults, ...options };
  const automatic = requestsPerMinute === 'auto';
  const general = new SlidingLog(automatic ? RATES[0] : requestsPerMinute, automatic);
  // A clone is a request too: it takes its place in both logs at once, when it goes.
  const logs = { general, clone: new SlidingLog(clonesPerMinute, false, general) };
  const queue = new Queue(maxWaiting);
  return {
    acquire: (bucket, acquireOptions) => queue.wait(logs[bucket], acquireOptions),
    pause(bucket, until) {
      logs[bucket].pause(until);
      queue.pump();
    },
    stepDown: (bucket, sentAt) => logs[bucket].stepDown(sentAt),
    close: () => queue.close(),
  };
}
