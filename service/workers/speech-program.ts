import path from 'node:path';
import { loadEngines } from '../engines/engines.js';
import type { Preparation } from './jobs.js';
import { programSettings } from './program-settings.js';
import { type FromWorker, toProcess } from './protocol.js';
import { WorkerError } from './worker-error.js';
import { WorkerPool } from './worker-pool.js';

/*
 * The program of the speech process: runs the jobs that it receives over its channel in a worker pool, several at a
 * time. It ends when the channel closes, so it cannot outlive the service.
 */

const WORKER = path.join(__dirname, `worker${path.extname(__filename)}`);

const settings = programSettings.parse(JSON.parse(process.argv[2] ?? ''));
const pool = openPool();
const running = new Map<number, AbortController>();

process.on('message', (message) => {
  const request = toProcess.parse(message);
  if (request.kind === 'run') void run(request.id, request.job);
  else running.get(request.id)?.abort();
});
process.once('disconnect', () => void end());
// A signal to the whole process group must not end the jobs that the service lets finish.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

async function openPool(): Promise<WorkerPool> {
  const { modules } = settings;
  // The built-in engines need no preparation, so they are loaded in the workers only.
  const engines = modules.length === 0 ? [] : await loadEngines(modules);
  const prepared = engines.map(async (engine) => [engine.id, await engine.prepare()] as const);
  const data: Preparation = { modules, prepared: new Map(await Promise.all(prepared)) };
  return new WorkerPool({ ...settings.pool, file: WORKER, data });
}

async function run(id: number, job: unknown): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const outputs = (await pool).run(job, (value) => value, controller.signal);
    for await (const value of outputs) send(id, { kind: 'output', value });
    send(id, { kind: 'done' });
  } catch (error) {
    send(id, { kind: 'failed', ...failureOf(error) });
  } finally {
    running.delete(id);
  }
}

function failureOf(error: unknown): Pick<WorkerError, 'code' | 'message'> {
  if (error instanceof WorkerError) return { code: error.code, message: error.message };
  return { code: 'failed', message: error instanceof Error ? error.message : String(error) };
}

function send(id: number, message: FromWorker): void {
  if (process.connected) process.send?.({ id, message });
}

async function end(): Promise<void> {
  await pool.then((pool) => pool.close()).catch(() => undefined);
  process.exit();
}
