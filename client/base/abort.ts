import { setMaxListeners } from 'node:events';
import { SpeechError } from './errors.js';
import { text } from './messages.js';

export { OneByOne } from './one-by-one.js';

/** Throws the signal's reason if the signal was aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw reasonOf(signal);
}

/** Returns the reason of an aborted signal: a SpeechError, such as a passed deadline, unchanged; any other reason as the cause of `aborted`. */
export const reasonOf = (signal: AbortSignal): SpeechError => stopReason(signal.reason);

function stopReason(reason: unknown): SpeechError {
  if (reason instanceof SpeechError) return reason;
  return new SpeechError('aborted', text('caller-stopped'), { cause: reason });
}

/** Waits `milliseconds`. Rejects with the signal's reason when the signal aborts. Removes timer and listener. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(reasonOf(signal));
    const stop = () => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** Returns the result of `work`. Rejects with the reason of the first signal that aborts, although `work` goes on. */
export async function unlessAborted<Result>(
  work: Promise<Result>,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<Result> {
  let links: (() => void)[] = [];
  const stopped = new Promise<never>((_, reject) => {
    links = signals.map((signal) => onAbort(signal, () => signal && reject(reasonOf(signal))));
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    for (const unlink of links) unlink();
  }
}

/**
 * Runs `work` with a signal that aborts with the first of `parents`, or through the controller that `work` receives.
 * Removes its listeners from the parents; `AbortSignal.any` would keep them as long as the parent lives.
 */
export async function linked<Result>(
  parents: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal, controller: AbortController) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const links = parents.map((parent) => onAbort(parent, (reason) => controller.abort(reason)));
  try {
    return await work(controller.signal, controller);
  } finally {
    for (const unlink of links) unlink();
  }
}

/**
 * Returns a signal that aborts with the first of some signals, at latest after some milliseconds. `AbortSignal.any` keeps no
 * reference to its sources: Node.js 20 collects a timeout that nobody else holds, and the signal never aborts. A listener holds it.
 */
export function limitedTo(milliseconds: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const limit = AbortSignal.timeout(milliseconds);
  limit.addEventListener('abort', () => {}, { once: true });
  return AbortSignal.any([...signals, limit]);
}

/**
 * Calls `stop` with the reason when the signal aborts, at once if it is already aborted.
 * Returns a function that removes the listener.
 */
export function onAbort(signal: AbortSignal | undefined, stop: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => {};
  const abort = () => stop(signal.reason);
  if (signal.aborted) abort();
  // Many calls may share a signal. By default, Node.js reports more than ten listeners as a leak.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', abort, { once: true });
  return () => signal.removeEventListener('abort', abort);
}

/**
 * Returns the generator of `start`. Its signal aborts with `parent`, and when the caller calls `return`. A generator
 * alone runs `return` only after the value that it is waiting for.
 */
export function stoppable<Value>(
  parent: AbortSignal | undefined,
  start: (signal: AbortSignal) => AsyncGenerator<Value, void, undefined>,
): AsyncGenerator<Value, void, undefined> {
  const controller = new AbortController();
  let isOpen = true;
  const generator = (async function* () {
    const unlink = onAbort(parent, (reason) => controller.abort(reason));
    try {
      yield* start(controller.signal);
    } finally {
      isOpen = false;
      unlink();
    }
  })();
  const finish = generator.return.bind(generator);
  generator.return = (value) => {
    if (isOpen) controller.abort(new SpeechError('aborted', text('caller-stopped')));
    return finish(value);
  };
  return generator;
}

/** The stop of a call. It makes an AbortSignal only for a part that needs one: that takes longer than all other work of a call. */
export class Stop {
  /** Undefined before the stop. */
  reason: SpeechError | undefined;
  /** Called at the stop. The request in work sets it. */
  onStop: ((reason: SpeechError) => void) | undefined;
  private controller: AbortController | undefined;

  /** Aborts with the stop. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.reason !== undefined) this.controller.abort(this.reason);
    }
    return this.controller.signal;
  }

  stop(reason: unknown): void {
    if (this.reason !== undefined) return;
    this.reason = stopReason(reason);
    this.onStop?.(this.reason);
    this.controller?.abort(this.reason);
  }
}

/**
 * Runs `work` until a deadline. The stop comes at the deadline, when `signal` aborts, or from `running`.
 * @param milliseconds time limit, waiting included
 * @param running has the stop of the work until its end
 * @param work also receives the deadline in `performance.now()` milliseconds
 * @throws SpeechError `timed-out` after the deadline
 */
export async function withDeadline<Result>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  running: Set<Stop>,
  work: (stop: Stop, deadline: number) => Promise<Result>,
): Promise<Result> {
  const stop = new Stop();
  running.add(stop);
  const unlink = onAbort(signal, (reason) => stop.stop(reason));
  const timer = setTimeout(() => stop.stop(tooLate(milliseconds)), milliseconds);
  try {
    return await work(stop, performance.now() + milliseconds);
  } finally {
    clearTimeout(timer);
    unlink();
    running.delete(stop);
  }
}

function tooLate(milliseconds: number): SpeechError {
  return new SpeechError('timed-out', text('not-done', { seconds: milliseconds / 1000 }));
}
