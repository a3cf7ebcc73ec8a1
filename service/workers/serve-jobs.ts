import { parentPort } from 'node:worker_threads';
import { type FromWorker, toWorker } from './protocol.js';
import { WorkerError } from './worker-error.js';

/** Does one job; what it yields goes out at once. Throw a WorkerError `refused` for input that can't be used. */
export type JobHandler = (job: unknown, signal: AbortSignal) => AsyncIterable<unknown>;

/**
 * Answers the pool from inside a worker, one job after the other.
 * @param close Ends what the worker has beside its thread; must not reject.
 */
export function serveJobs(handle: JobHandler, close: () => Promise<unknown> = () => Promise.resolve()): void {
  const port = parentPort;
  if (port === null) throw new Error('this file runs in a worker');
  let running = new AbortController();
  port.on('message', (message: unknown) => {
    const request = toWorker.parse(message);
    if (request.kind !== 'run') running.abort();
    if (request.kind === 'leave') void close().then(() => port.close());
    if (request.kind !== 'run') return;
    running = new AbortController();
    void answer(handle(request.job, running.signal), (reply) => port.postMessage(reply));
  });
}

async function answer(outputs: AsyncIterable<unknown>, reply: (message: FromWorker) => void): Promise<void> {
  try {
    for await (const value of outputs) reply({ kind: 'output', value });
    reply({ kind: 'done' });
  } catch (error) {
    const refused = error instanceof WorkerError && error.code === 'refused';
    const message = error instanceof Error ? error.message : String(error);
    reply({ kind: 'failed', code: refused ? 'refused' : 'failed', message });
  }
}
