import { linked } from '@herald-speech/client/abort';
import type { Calls, Terms } from '@herald-speech/client/calls';
import type { TaskLimits } from './limits.js';
import type { FromWorker } from './protocol.js';
import { WorkerError } from '../../kit/worker-error.js';

/**
 * Runs work whose signal aborts with the caller's signal, or with a WorkerError `timed-out` after the time limit.
 * @param timeLimit milliseconds
 */
export function withTimeLimit<Result>(
  timeLimit: number,
  caller: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return linked([caller], async (signal, controller) => {
    const message = `speech exceeded the time limit of ${timeLimit / 1000} s`;
    const timer = setTimeout(() => controller.abort(new WorkerError('timed-out', message)), timeLimit);
    try {
      return await work(signal);
    } finally {
      clearTimeout(timer);
    }
  });
}

/**
 * Runs a job in a worker or in the speech process, until it has ended there.
 * @param timeLimit milliseconds after which the job hangs
 * @throws WorkerError `hung`, `crashed` or the error of the job; the reason of the signal
 */
export async function runJob(
  calls: Calls<FromWorker>,
  job: unknown,
  emit: (output: unknown) => void,
  signal: AbortSignal,
  timeLimit: number,
): Promise<void> {
  const onPart = ({ value }: { value: unknown }) => emit(value);
  const reply = await calls.ask({ kind: 'run', job }, { signal, timeLimit, onPart });
  signal.throwIfAborted();
  if (reply.kind === 'failed') throw new WorkerError(reply.code, reply.message);
}

/** Returns the terms of calls that run jobs. @param who the worker or the process, for the message of an error */
export function jobTerms(who: string, { timeLimit, grace }: TaskLimits): Terms<FromWorker> {
  const late = `speech did not end within ${(timeLimit + grace) / 1000} s: try again, or send less text`;
  return {
    kinds: ['part', 'done', 'failed'],
    ended: (how, cause) => new WorkerError('crashed', `${who} ended with ${how}`, { cause }),
    late: () => new WorkerError('hung', late),
  };
}
