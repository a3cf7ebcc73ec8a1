import { freemem } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type {
  LoadRequest,
  MAX_MODEL_THREADS,
  NeuralCancellation,
  NeuralReply,
  NeuralRequest,
  NeuralSettings,
} from '@herald-speech/local-service';
import { outOfMemory } from './errors.js';
import type { ThreadData, ThreadMessage } from './thread.js';

/*
 * The program of the neural process: answers the requests of its parent in order. A thread runs the models. This thread
 * stays responsive: it ends the process if the channel to the parent closes, even during an endless computation, and if the
 * process exceeds its memory limit. It ends with SIGKILL, because a thread in native code cannot be stopped.
 */

/** The type keeps the number equal to the service's. */
const MAX_THREADS: typeof MAX_MODEL_THREADS = 2;
const MEMORY_CHECK_MS = 50;
const SPARE_CHECK_MS = 2000;
/** Megabytes of V8's heap in the thread. Models are outside of it. */
const HEAP = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };

const settings = readSettings(process.argv[2]);
/** Requests without a reply, in order. */
const waiting: NeuralRequest[] = [];
let memoryTimer: NodeJS.Timeout | undefined;
const cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(-1);
const threadData: ThreadData = { settings, cancelled };
const worker = new Worker(path.join(__dirname, 'worker.js'), {
  workerData: threadData,
  resourceLimits: HEAP,
  // Messages of ONNX Runtime must not appear in the log of the service.
  stdout: true,
  stderr: true,
});

worker.on('message', (message: ThreadMessage) => {
  if (message.kind === 'stop') end(message.message, message.isOutOfMemory);
  else if (message.kind === 'loaded') rest();
  else answer(message);
});
worker.on('error', (error: Error) => end(`the runtime stopped: ${error.message}`.slice(0, 1000)));
worker.on('exit', () => end('the runtime stopped'));

process.on('message', (request: NeuralRequest | NeuralCancellation | LoadRequest) => {
  if (request.kind === 'cancel') {
    Atomics.store(cancelled, 0, request.id);
    return;
  }
  if (request.kind === 'speak') waiting.push(request);
  memoryTimer ??= setInterval(checkMemory, MEMORY_CHECK_MS);
  worker.postMessage(request, []);
});
process.on('disconnect', kill);
// macOS counts its caches as used.
if (process.platform !== 'darwin') {
  setInterval(() => {
    if (freemem() < settings.spareBytes) answer({ kind: 'idle' });
  }, SPARE_CHECK_MS);
}
// A signal to the whole process group must not end a request that the service lets finish.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

function readSettings(argument: string | undefined): NeuralSettings {
  if (argument === undefined) throw new Error('expected the settings as JSON in the first argument');
  const { maxModels, keepMs, memoryBytes, threads, spareBytes, native }: Record<string, unknown> =
    JSON.parse(argument);
  return {
    maxModels: Math.max(1, numberOf(maxModels)),
    keepMs: numberOf(keepMs),
    memoryBytes: numberOf(memoryBytes),
    threads: Math.min(MAX_THREADS, Math.max(1, numberOf(threads))),
    spareBytes: numberOf(spareBytes),
    native: typeof native === 'string' ? native : undefined,
  };
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number' || !(value >= 0))
    throw new Error(`expected a number in the settings, got ${String(value)}`);
  return value;
}

function answer(reply: NeuralReply): void {
  if (reply.kind === 'idle') {
    if (waiting.length === 0) send(reply);
    return;
  }
  if (reply.kind === 'part') return send(reply);
  waiting.shift();
  rest();
  send(reply);
}

/** Without a request, the memory needs no watch. */
function rest(): void {
  if (waiting.length === 0) stopWatching();
}

function stopWatching(): void {
  clearInterval(memoryTimer);
  memoryTimer = undefined;
}

function checkMemory(): void {
  if (process.memoryUsage.rss() <= settings.memoryBytes) return;
  const [request] = waiting;
  if (request === undefined) kill();
  else end(outOfMemory(request.model, settings.memoryBytes).message, true);
}

/** Fails all requests, the first with the reason, and ends the process. */
function end(reason: string, isOutOfMemory = false): void {
  stopWatching();
  const failed = waiting.splice(0).map(({ id }, place) => ({
    kind: 'failed' as const,
    id,
    message: place === 0 ? reason : 'an earlier request ended the neural process. Try again',
    isOutOfMemory: place === 0 && isOutOfMemory,
  }));
  let left = failed.length;
  if (left === 0) kill();
  for (const reply of failed) send(reply, () => --left === 0 && kill());
}

/** A failure means that the parent has ended, and this process ends with the channel. */
function send(reply: NeuralReply, done: () => void = () => undefined): void {
  process.send?.(reply, undefined, undefined, done);
}

function kill(): void {
  process.kill(process.pid, 'SIGKILL');
}
