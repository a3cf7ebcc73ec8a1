import { setMaxListeners } from 'node:events';
import { SpeechError } from './errors.js';

/** Throws the signal's reason when it has fired. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw reasonOf(signal);
}

/** Why a signal fired, as a SpeechError: a deadline of ours keeps its own reason. */
export function reasonOf(signal: AbortSignal): SpeechError {
  const reason: unknown = signal.reason;
  if (reason instanceof SpeechError) return reason;
  return new SpeechError('aborted', 'stopped before it was done', { cause: reason });
}

/**
 * Waits `milliseconds`, or rejects with the signal's reason as soon as it fires.
 * The timer and the listener are gone either way.
 */
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
 * Runs `work` under a signal that fires with the first of `parents`, or by the controller that `work` gets.
 * Listeners are taken off again: `AbortSignal.any` keeps them as long as the parent lives.
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
  // Any number of calls may share a signal; more than ten would be reported as a leak.
  setMaxListeners(0, parent);
  parent.addEventListener('abort', abort, { once: true });
  return () => parent.removeEventListener('abort', abort);
}

/**
 * Runs `work` with a deadline on top of the parents' signals.
 * @param milliseconds how long it may take, waiting included
 * @throws SpeechError `timed-out` when the deadline passes first
 */
export function withDeadline<Result>(
  milliseconds: number,
  parents: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal, deadline: number) => Promise<Result>,
): Promise<Result> {
  return linked(parents, async (signal, controller) => {
    const late = new SpeechError('timed-out', `not done within ${milliseconds / 1000} s`);
    const timer = setTimeout(() => controller.abort(late), milliseconds);
    try {
      return await work(signal, performance.now() + milliseconds);
    } finally {
      clearTimeout(timer);
    }
  });
}
