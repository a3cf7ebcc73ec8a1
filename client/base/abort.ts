import { setMaxListeners } from 'node:events';
import { SpeechError } from './errors.js';
import { text } from './messages.js';

/** Throws the signal's reason if the signal was aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw reasonOf(signal);
}

/** Returns the reason of an aborted signal: a SpeechError, such as a passed deadline, unchanged; any other reason as the cause of `aborted`. */
export function reasonOf(signal: AbortSignal): SpeechError {
  const reason: unknown = signal.reason;
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

/** Returns the result of `work`. Rejects with the signal's reason when the signal aborts, although `work` goes on. */
export function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(reasonOf(signal));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.finally(() => signal.removeEventListener('abort', stop)).then(resolve, reject);
  });
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
  const generator = (async function* () {
    const unlink = onAbort(parent, (reason) => controller.abort(reason));
    try {
      yield* start(controller.signal);
    } finally {
      unlink();
    }
  })();
  const finish = generator.return.bind(generator);
  generator.return = (value) => {
    controller.abort(new SpeechError('aborted', text('caller-stopped')));
    return finish(value);
  };
  return generator;
}

/**
 * Runs `work` with a signal that also aborts after a deadline.
 * @param milliseconds time limit, waiting included
 * @param work also receives the deadline in `performance.now()` milliseconds
 * @throws SpeechError `timed-out` after the deadline
 */
export function withDeadline<Result>(
  milliseconds: number,
  parents: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal, deadline: number) => Promise<Result>,
): Promise<Result> {
  return linked(parents, async (signal, controller) => {
    const timer = setTimeout(() => controller.abort(tooLate(milliseconds)), milliseconds);
    try {
      return await work(signal, performance.now() + milliseconds);
    } finally {
      clearTimeout(timer);
    }
  });
}

function tooLate(milliseconds: number): SpeechError {
  return new SpeechError('timed-out', text('not-done', { seconds: milliseconds / 1000 }));
}
