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

/**
 * Runs `work` with a signal that aborts with the first of `parents`, or through the controller that `work` receives.
 * Removes its listeners from the parents; `AbortSignal.any` would keep them as long as the parent lives.
 */
export async function linked<Result>(
  parents: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal, controller: AbortController) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const links = parents.flatMap((parent) => (parent === undefined ? [] : [link(parent, controller)]));
  try {
    return await work(controller.signal, controller);
  } finally {
    for (const unlink of links) unlink();
  }
}

function link(parent: AbortSignal, controller: AbortController): () => void {
  const abort = () => controller.abort(parent.reason);
  if (parent.aborted) abort();
  // Many calls may share a signal. By default, Node.js reports more than ten listeners as a leak.
  setMaxListeners(0, parent);
  parent.addEventListener('abort', abort, { once: true });
  return () => parent.removeEventListener('abort', abort);
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
