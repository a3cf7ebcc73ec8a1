import { SpeechError } from '@herald-speech/client';
import { say } from '../runtime/messages.js';

/** Milliseconds of the work on one file: a dead network share never answers. */
export const FILE_TIMEOUT_MS = 20_000;

/**
 * Runs work on a file, and rejects when the signal aborts or the time is over, even if the system does not answer. Node.js
 * cannot end such a system call. The work goes on in the background until its signal matters.
 * @param work receives a signal that also aborts after the time limit, and must end soon after
 * @throws SpeechError `timed-out` after the time limit, or the signal's reason
 */
export async function bounded<Result>(
  file: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
  timeout = FILE_TIMEOUT_MS,
): Promise<Result> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(late(file, timeout)), timeout);
  signal.addEventListener('abort', stop, { once: true });
  const stopped = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(reasonOf(controller.signal)), { once: true });
  });
  const working = work(controller.signal);
  for (const loser of [working, stopped]) loser.catch(() => undefined);
  try {
    return await Promise.race([working, stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

const reasonOf = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error(String(reason));

function late(file: string, timeout: number): SpeechError {
  const problem = say('file-late', { seconds: timeout / 1000 });
  return new SpeechError('timed-out', say('file', { file: JSON.stringify(file), problem }));
}
