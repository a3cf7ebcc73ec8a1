import { MessagePort, parentPort } from 'node:worker_threads';
import { answerCalls } from '@herald-speech/client/calls';
import type { ToWorker } from './protocol.js';
import { WorkerError } from '../../kit/worker-error.js';

/** Runs one job and yields its outputs. Throws a WorkerError `refused` if the job's input is unusable. */
export type JobHandler = (job: unknown, signal: AbortSignal) => AsyncIterable<unknown>;

/**
 * Serves jobs from inside a worker or the speech process.
 * @param close Ends everything that the worker started outside its thread. Must not reject.
 */
export function serveJobs(
  handle: JobHandler,
  close: () => Promise<unknown> = () => Promise.resolve(),
  peer: MessagePort | NodeJS.Process | null = parentPort,
): void {
  if (peer === null) throw new Error('serveJobs works in a worker thread only');
  const cancelAll = answerCalls<ToWorker>(peer, {
    kinds: ['run', 'leave'],
    answer: async (request, signal, emit) => {
      if (request.kind === 'run') {
        for await (const value of handle(request.job, signal)) emit({ value });
        return {};
      }
      cancelAll();
      await close();
      if (peer instanceof MessagePort) peer.close();
      else peer.exit();
      return {};
    },
    failure: workerFailure,
  });
}

/** The code and the message of an error. Any error other than a WorkerError has the code `failed`. */
function workerFailure(error: unknown): Pick<WorkerError, 'code' | 'message'> {
  if (error instanceof WorkerError) return { code: error.code, message: error.message };
  return { code: 'failed', message: error instanceof Error ? error.message : String(error) };
}
