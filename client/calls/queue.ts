import { reasonOf, throwIfAborted } from '../base/abort.js';
import { SpeechError } from '../base/errors.js';
import { text } from '../base/messages.js';

export interface AcquireOptions {
  signal: AbortSignal;
  /** Higher goes first; equal in order of arrival. Default 0. */
  priority?: number | undefined;
  /** `performance.now()` milliseconds after which a place is useless. */
  deadline?: number;
  /** Receives the seconds until a place is free. Called once, and only if the call has to wait. */
  onWait?: ((seconds: number) => void) | undefined;
}

/** The places of one rate limit. A place is the permission to send one request. Times are `performance.now()` milliseconds. */
export interface Places {
  /** Whether a request may be sent now. */
  isFree(now: number): boolean;
  /** Returns the time at which the next place is expected. */
  nextAt(): number;
  /** Whether a place is free at `nextAt`. If not, the owner of the queue must call `pump`. */
  isTimed(): boolean;
  /** Takes a place. */
  record(now: number): void;
}

interface Waiter {
  places: Places;
  priority: number;
  deadline: number;
  go: () => void;
  fail: (error: SpeechError) => void;
}

/** The waiting calls: higher priority first, equal in order of arrival. */
export class Queue {
  private waiting: Waiter[] = [];
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly maxWaiting: number) {}

  /** Takes a place if one is free and no call waits. Returns whether it did. */
  take(places: Places): boolean {
    const now = performance.now();
    if (this.closed || this.waiting.length > 0 || !places.isFree(now)) return false;
    places.record(now);
    return true;
  }

  /** Waits for a place, and takes it. */
  async wait(places: Places, options: AcquireOptions): Promise<void> {
    const { signal, priority = 0, deadline = Infinity, onWait } = options;
    throwIfAborted(signal);
    if (this.closed) throw closedError();
    if (this.waiting.length >= this.maxWaiting) throw tooMany(this.maxWaiting);
    const { promise, resolve: go, reject: fail } = deferred();
    const waiter: Waiter = { places, priority, deadline, go, fail };
    const leave = () => {
      // At once: a place for a call that has ended would be lost.
      this.remove(waiter);
      fail(reasonOf(signal));
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      // If a call of the same bucket already waits, its timer is set. Scanning the queue again would make a burst O(n²).
      const behind = this.waiting.some((other) => other.places === places);
      this.insert(waiter);
      if (!behind || places.nextAt() > deadline) this.pump();
      if (this.waiting.includes(waiter)) onWait?.(Math.max(0, places.nextAt() - performance.now()) / 1000);
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
    const timed = this.waiting.filter(({ places }) => places.isTimed());
    const next = timed.reduce((soonest, { places }) => Math.min(soonest, places.nextAt()), Infinity);
    if (next < Infinity) this.timer = setTimeout(() => this.pump(), Math.max(1, next - now));
  }

  /** Returns the number of calls that wait for one of these places. */
  waitingFor(places: Places): number {
    return this.waiting.filter((waiter) => waiter.places === places).length;
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
function settle({ places, deadline, go, fail }: Waiter, now: number): boolean {
  const nextAt = places.nextAt();
  if (places.isFree(now)) {
    places.record(now);
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
