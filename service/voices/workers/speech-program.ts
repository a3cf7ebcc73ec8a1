import path from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type * as allEngines from '../engines/engines.js';
import type * as espeakChild from '../engines/espeak/espeak-child.js';
import type { EspeakChild } from '../engines/espeak/espeak-child.js';
import type * as corrections from '../engines/neural/corrected-in-use.js';
import type * as neuralChild from '../engines/neural/process/neural-child.js';
import type { NeuralChild } from '../engines/neural/process/neural-child.js';
import { type NeuralProcesses, servePort } from '../engines/neural/process/neural-port.js';
import { hasProperties } from '../../kit/objects.js';
import { NEURAL } from '../../kit/packages.js';
import type { NaturalFolders } from '../installed/folders.js';
import type { Preparation } from './jobs.js';
import type { SpeechSettings } from './protocol.js';
import { serveJobs } from './serve-jobs.js';
import { type WorkerData, WorkerPool } from './worker-pool.js';

/*
 * The program of the speech process: runs the jobs that it receives over its channel in a worker pool, several at a
 * time. After `leave`, it closes the engines and ends. It kills itself when the channel closes, so it cannot outlive the
 * service: `process.exit` would wait for a worker that blocks in native code.
 */

const WORKER = path.join(__dirname, `worker${path.extname(__filename)}`);

const settings: SpeechSettings = JSON.parse(process.argv[2] ?? '');
let pool: Promise<WorkerPool> | undefined;
let neural: (NeuralProcesses & { child: NeuralChild; espeak: EspeakChild }) | undefined;

serveJobs(
  async function* (job, signal) {
    if (settings.natural !== undefined) startNeural(settings.natural, job);
    const opened = await preparedPool();
    yield* opened.run(job, (value) => value, signal);
  },
  () =>
    Promise.allSettled([
      pool?.then((opened) => opened.close()),
      neural?.child.close(),
      neural?.espeak.close(),
    ]),
  process,
);
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A signal to the whole process group must not end the jobs that the service lets finish.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

/** Returns the pool, and prepares the engines if no job has done so. The job after a failure tries again. */
function preparedPool(): Promise<WorkerPool> {
  pool ??= openPool().catch((error: unknown) => {
    pool = undefined;
    throw error;
  });
  return pool;
}

async function openPool(): Promise<WorkerPool> {
  const { modules, natural, pool: limits } = settings;
  const shared = new Map(modules.length === 0 ? [] : await prepare(modules));
  const dataOf = (): WorkerData => {
    // Also without the package: a user may install it before the worker ends.
    const port = natural && connectNeural(natural);
    const workerData: Preparation = { modules, natural, prepared: new Map([...shared, [NEURAL, port]]) };
    return { workerData, transferList: port === undefined ? [] : [port] };
  };
  return new WorkerPool({ ...limits, file: WORKER, dataOf });
}

/** Prepares the engines. The built-in engines need no preparation, so only the workers load them without modules. */
async function prepare(modules: readonly string[]): Promise<(readonly [id: string, prepared: unknown])[]> {
  const { loadEngines }: typeof allEngines = require('../engines/engines.js');
  const engines = await loadEngines(modules);
  return Promise.all(engines.map(async (engine) => [engine.id, await engine.prepare()] as const));
}

/** Returns the port of a new worker to the processes of the natural voices, which start with the first text. */
function connectNeural(natural: NaturalFolders): MessagePort {
  const { port1, port2 } = new MessageChannel();
  servePort(port1, () => neuralProcesses(natural));
  return port2;
}

function neuralProcesses({ measurements, native }: NaturalFolders): NonNullable<typeof neural> {
  if (neural !== undefined) return neural;
  // Loaded here, because only a service with natural voices needs them.
  const { NeuralChild: Neural }: typeof neuralChild = require('../engines/neural/process/neural-child.js');
  const { EspeakChild: Espeak }: typeof espeakChild = require('../engines/espeak/espeak-child.js');
  const { correctedInUse }: typeof corrections = require('../engines/neural/corrected-in-use.js');
  const child = new Neural({ ...settings.neural, native });
  neural = { child, speaker: correctedInUse(child, measurements), espeak: new Espeak() };
  return neural;
}

/** Starts the processes together with the worker that reads the text. A prediction needs no model. */
function startNeural(natural: NaturalFolders, job: unknown): void {
  if (!hasProperties(job) || job['engine'] !== NEURAL) return;
  const { child, espeak } = neuralProcesses(natural);
  if (job['encoding'] !== 'none') child.load();
  // A failure shows when eSpeak reads the text.
  if (espeak.pid === undefined) espeak.phonemes({ voice: 'en', texts: [] }).catch(() => undefined);
}
