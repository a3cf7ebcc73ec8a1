import { setMaxListeners } from 'node:events';
import path from 'node:path';
import { SpeechError } from '@herald-speech/client';
import { say } from '../../runtime/messages.js';

/** Milliseconds of one operation on a file, such as one write: a dead network share never answers. */
const FILE_TIMEOUT_MS = 20_000;
/** Milliseconds after which stopped work that still runs counts as hanging. */
const GRACE_MS = 500;
/**
 * Maximum number of works on files at a time, hanging ones included. Each one that hangs occupies one of the four threads with which
 * Node.js reads files and looks up host names.
 */
const MAX_WORKS = 2;

/** The folders of works that hang, one entry for each work. */
const hanging: string[] = [];
let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs work on a file, and rejects when the signal aborts or the time is over, even if the system does not answer. Node.js
 * cannot end such a system call, so the work goes on in the background. While it hangs, work in the same folder fails at once.
 * @param work receives a signal that also aborts after the time limit, and must end soon after
 * @throws SpeechError `timed-out` after the time limit, or the signal's reason
 */
export async function withTimeLimit<Result>(
  file: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
  timeout = FILE_TIMEOUT_MS,
): Promise<Result> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(late(file, timeout)), timeout);
  // The files of a run share a signal. By default, Node.js reports more than ten listeners as a leak.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', stop, { once: true });
  const stopped = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(reasonOf(controller.signal)), { once: true });
  });
  stopped.catch(() => undefined);
  try {
    await Promise.race([place(controller.signal), stopped]);
    const working = watched(file, controller.signal, work, timeout);
    working.catch(() => undefined);
    return await Promise.race([working, stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** Whether all places are taken, and at least one of them can become free. */
const isFull = (): boolean => running >= MAX_WORKS && hanging.length < MAX_WORKS;

/** Waits for one of the places and takes it. A work that was stopped takes no place. */
async function place(signal: AbortSignal): Promise<void> {
  while (isFull() && !signal.aborted) {
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  if (!signal.aborted) running += 1;
}

/** Runs work in the place that it has taken, and notes its folder while it hangs. */
async function watched<Result>(
  file: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
  timeout: number,
): Promise<Result> {
  const folder = path.dirname(file);
  let grace: NodeJS.Timeout | undefined;
  let hangs = false;
  const note = () => {
    hangs = true;
    hanging.push(folder);
    next();
  };
  const noteSoon = () => {
    grace = setTimeout(note, GRACE_MS).unref();
  };
  signal.addEventListener('abort', noteSoon, { once: true });
  try {
    signal.throwIfAborted();
    if (hanging.length >= MAX_WORKS || hanging.includes(folder)) throw late(file, timeout);
    return await work(signal);
  } finally {
    signal.removeEventListener('abort', noteSoon);
    clearTimeout(grace);
    if (hangs) hanging.splice(hanging.indexOf(folder), 1);
    running -= 1;
    next();
  }
}

/** Lets the waiting works check for a place again. */
function next(): void {
  for (const resolve of waiting.splice(0)) resolve();
}

const reasonOf = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error(String(reason));

function late(file: string, timeout: number): SpeechError {
  const problem = say('file-late', { seconds: timeout / 1000 });
  return new SpeechError('timed-out', say('file', { file: JSON.stringify(file), problem }));
}
