import { parentPort } from 'node:worker_threads';
import { type FromWorker, isToWorker } from './protocol.js';
import { WorkerError } from '../../kit/worker-error.js';

/** Runs one job and yields its outputs. Throws a WorkerError `refused` if the job's input is unusable. */
export type JobHandler = (job: unknown, signal: AbortSignal) => AsyncIterable<unknown>;

/**
 * Serves the pool from inside a worker, one job at a time.
 * @param close Ends everything that the worker started outside its thread. Must not reject.
 */
export function serveJobs(handle: JobHandler, close: () => Promise<unknown> = () => Promise.resolve()): void {
  const port = parentPort;
  if (port === null) throw new Error('serveJobs works in a worker thread only');
  let running = new AbortController();
  port.on('message', (message: unknown) => {
    if (!isToWorker(message)) throw new TypeError('unexpected message to a worker');
    if (message.kind !== 'run') running.abort();
    if (message.kind === 'leave') void close().then(() => port.close());
    if (message.kind !== 'run') return;
    running = new AbortController();
    void answer(handle(message.job, running.signal), (reply) => port.postMessage(reply));
  });
}

async function answer(outputs: AsyncIterable<unknown>, reply: (message: FromWorker) => void): Promise<void> {
  try {
    for await (const value of outputs) reply({ kind: 'output', value });
    reply({ kind: 'done' });
  } catch (error) {
    reply({ kind: 'failed', ...workerFailure(error) });
  }
}

/** The code and the message of an error. Any error other than a WorkerError has the code `failed`. */
export function workerFailure(error: unknown): Pick<WorkerError, 'code' | 'message'> {
  if (error instanceof WorkerError) return { code: error.code, message: error.message };
  return { code: 'failed', message: error instanceof Error ? error.message : String(error) };
}
