import { reasonOf } from './abort.js';
import { SpeechError } from './errors.js';
import type { Bucket } from './operation.js';

export interface AcquireOptions {
  signal: AbortSignal;
  /** Higher goes first; equals keep their order. */
  priority?: number;
  /** `performance.now()` past which waiting is pointless. */
  deadline?: number;
  /** Told once, when the call can't go at once: seconds until it may. */
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
  /** service-api.md, 8. */
  clonesPerMinute: 10,
  /** Calls that may wait at a time; a further one fails as `busy`. */
  maxWaiting: 10_000,
};

export type LimiterOptions = typeof limiterDefaults;

/** The three rates of the interface, highest first (service-api.md, 8): which one an account has is not told. */
const RATES = [60, 30, 20] as const;

/** A minute, and a little more for requests that travel at different speeds. */
const WINDOW_MS = 60_100;

interface Waiter {
  priority: number;
  deadline: number;
  go: () => void;
  fail: (error: SpeechError) => void;
}

/** A sliding log of one bucket: never more than `limit` requests in any window. */
class SlidingWindow {
  private readonly sent: number[] = [];
  private readonly waiting: Waiter[] = [];
  private pausedUntil = 0;
  private timer: NodeJS.Timeout | undefined;
  private steppedAt = 0;

  constructor(
    private limit: number,
    private readonly automatic: boolean,
    private readonly maxWaiting: number,
  ) {}

  acquire({ signal, priority = 0, deadline = Infinity, onWait }: AcquireOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(reasonOf(signal));
      if (this.waiting.length >= this.maxWaiting) return reject(tooMany(this.maxWaiting));
      const leave = () => {
        this.remove(waiter);
        reject(reasonOf(signal));
      };
      const waiter: Waiter = {
        priority,
        deadline,
        go: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
        fail: (error) => {
          signal.removeEventListener('abort', leave);
          reject(error);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.enqueue(waiter);
      this.pump();
      if (this.waiting.includes(waiter)) onWait?.(Math.max(0, this.nextAt() - performance.now()) / 1000);
    });
  }

  pause(until: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, until);
    this.pump();
  }

  stepDown(sentAt: number): void {
    // Several 429s of one burst are one piece of news.
    if (!this.automatic || sentAt < this.steppedAt) return;
    this.limit = RATES.find((rate) => rate < this.limit) ?? this.limit;
    this.steppedAt = performance.now();
  }

  close(error: SpeechError): void {
    clearTimeout(this.timer);
    for (const waiter of this.waiting.splice(0)) waiter.fail(error);
  }

  private enqueue(waiter: Waiter): void {
    const behind = this.waiting.findIndex(({ priority }) => priority < waiter.priority);
    this.waiting.splice(behind < 0 ? this.waiting.length : behind, 0, waiter);
  }

  private remove(waiter: Waiter): void {
    const index = this.waiting.indexOf(waiter);
    if (index >= 0) this.waiting.splice(index, 1);
    if (this.waiting.length === 0) clearTimeout(this.timer);
  }

  private pump(): void {
    clearTimeout(this.timer);
    const now = performance.now();
    while (this.waiting.length > 0 && this.nextAt() <= now) {
      this.record(now);
      this.waiting.shift()?.go();
    }
    this.dismissHopeless();
    if (this.waiting.length > 0) this.timer = setTimeout(() => this.pump(), Math.max(1, this.nextAt() - now));
  }

  /** Keeps what a window of `limit` needs to know; without a limit that is nothing. */
  private record(now: number): void {
    if (!Number.isFinite(this.limit)) return;
    this.sent.push(now);
    if (this.sent.length > this.limit) this.sent.shift();
  }

  /** When the next request may go: after the pause, and a window after the `limit`-th last one. */
  private nextAt(): number {
    const oldest = this.sent.at(-this.limit);
    return Math.max(this.pausedUntil, oldest === undefined ? 0 : oldest + WINDOW_MS);
  }

  /** Who can't go before their deadline is told now, with the time, rather than kept until it passes. */
  private dismissHopeless(): void {
    const nextAt = this.nextAt();
    for (const waiter of this.waiting.filter(({ deadline }) => deadline < nextAt)) {
      this.remove(waiter);
      waiter.fail(tooLate(nextAt));
    }
  }
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

/** A limiter of this process, with the account's allowances (service-api.md, 8). */
export function createLimiter(options: Partial<LimiterOptions> = {}): Limiter {
  const { requestsPerMinute, clonesPerMinute, maxWaiting } = { ...limiterDefaults, ...options };
  const automatic = requestsPerMinute === 'auto';
  const general = new SlidingWindow(automatic ? RATES[0] : requestsPerMinute, automatic, maxWaiting);
  const clone = new SlidingWindow(clonesPerMinute, false, maxWaiting);
  const window = (bucket: Bucket) => (bucket === 'clone' ? clone : general);
  return {
    async acquire(bucket, acquireOptions) {
      // A clone is also a request: it needs a place in both windows.
      if (bucket === 'clone') await clone.acquire(acquireOptions);
      await general.acquire(acquireOptions);
    },
    pause: (bucket, until) => window(bucket).pause(until),
    stepDown: (bucket, sentAt) => window(bucket).stepDown(sentAt),
    close() {
      const closed = new SpeechError('aborted', 'the client was closed');
      for (const each of [general, clone]) each.close(closed);
    },
  };
}
