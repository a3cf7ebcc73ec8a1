import path from 'node:path';
import { loadEngines } from '../engines/engines.js';
import type { Preparation } from './jobs.js';
import type { WorkerPoolLimits } from './limits.js';
import { type FromWorker, isToProcess } from './protocol.js';
import { failureOf } from './serve-jobs.js';
import { WorkerPool } from './worker-pool.js';

/*
 * The program of the speech process: runs the jobs that it receives over its channel in a worker pool, several at a
 * time. After `stop`, it closes the engines and ends. It ends at once when the channel closes, so it cannot outlive the
 * service.
 */

const WORKER = path.join(__dirname, `worker${path.extname(__filename)}`);

let pool: Promise<WorkerPool> | undefined;
const running = new Map<number, AbortController>();

process.on('message', (message) => {
  if (!isToProcess(message)) throw new TypeError('unexpected message to the speech process');
  if (message.kind === 'start') {
    pool = openPool(message.modules, message.pool);
    pool.catch(() => undefined); // Each job reports the failure.
  }
  if (message.kind === 'run') void run(message.id, message.job);
  if (message.kind === 'cancel') running.get(message.id)?.abort();
  if (message.kind === 'stop') void stop();
});
process.once('disconnect', () => process.exit());
// A signal to the whole process group must not end the jobs that the service lets finish.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

async function openPool(modules: readonly string[], limits: WorkerPoolLimits): Promise<WorkerPool> {
  // The built-in engines need no preparation, so only the workers load them.
  const engines = modules.length === 0 ? [] : await loadEngines(modules);
  const prepared = engines.map(async (engine) => [engine.id, await engine.prepare()] as const);
  const data: Preparation = { modules, prepared: new Map(await Promise.all(prepared)) };
  return new WorkerPool({ ...limits, file: WORKER, data });
}

async function run(id: number, job: unknown): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const opened = await pool;
    if (opened === undefined) throw new Error('the first message to the speech process must be "start"');
    const outputs = opened.run(job, (value) => value, controller.signal);
    for await (const value of outputs) send(id, { kind: 'output', value });
    send(id, { kind: 'done' });
  } catch (error) {
    send(id, { kind: 'failed', ...failureOf(error) });
  } finally {
    running.delete(id);
  }
}

/** Ignores a failure: the service has ended, and this process ends with the channel. */
function send(id: number, message: FromWorker): void {
  process.send?.({ id, ...message }, undefined, undefined, () => undefined);
}

async function stop(): Promise<void> {
  await pool?.then((opened) => opened.close()).catch(() => undefined);
  process.exit();
}
