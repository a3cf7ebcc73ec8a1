import { parentPort, workerData } from 'node:worker_threads';
import type { LoadRequest, NeuralRequest } from '@herald-speech/local-service';
import { ModelError } from './errors.js';
import { NeuralModels } from './models.js';
import { loadRuntime } from './runtime.js';
import type { ThreadData, ThreadMessage } from './thread.js';

/*
 * The thread that loads and runs models. ONNX Runtime blocks it, so the main thread watches memory and parent meanwhile.
 * Requests run one after another. After an error that makes the runtime unusable, the program ends the process.
 */

const { settings, cancelled }: ThreadData = workerData;
let models: NeuralModels | undefined;
let kind: 'web' | 'native' = 'web';
let last = Promise.resolve();

parentPort?.on('message', (request: NeuralRequest | LoadRequest) => {
  last = last.then(async () => (request.kind === 'load' ? load(request) : send(await replyTo(request))));
});

/**
 * Ignores a failure, which shows when a sentence for the model follows. If the runtime is unusable then, the process ends, and the
 * sentence that waits is repeated in a new one.
 */
async function load({ model }: LoadRequest): Promise<void> {
  try {
    models ??= start();
    if (model !== undefined) await models.load(model);
  } catch (error) {
    if (isFinal(error)) process.kill(process.pid, 'SIGKILL');
  }
  send({ kind: 'loaded' });
  // A model that leaves reports the empty process. Without a model, nobody would.
  if (model === undefined)
    setTimeout(() => models?.isEmpty !== false && send({ kind: 'idle' }), settings.keepMs);
}

function send(reply: ThreadMessage): void {
  parentPort?.postMessage(reply, reply.kind === 'part' ? [reply.samples.buffer] : []);
}

async function replyTo(request: NeuralRequest): Promise<ThreadMessage> {
  const { id } = request;
  const isCancelled = () => Atomics.load(cancelled, 0) === id;
  if (isCancelled()) return { kind: 'failed', id, message: 'cancelled', isOutOfMemory: false };
  try {
    models ??= start();
    let [runMs, cpuMs] = [0, 0];
    const isWarmUp = request.urgency === 'warm-up';
    const [symbols, loadMs] = await models.use(request.model, async (model, isFirstRun) => {
      if (isWarmUp && !isFirstRun) return model.symbols;
      const [before, cpu] = [performance.now(), process.cpuUsage()];
      for await (const part of model.speak(request, isCancelled)) {
        // The first window has run both parts of the network.
        if (isWarmUp) break;
        send({ kind: 'part', id, ...part });
      }
      runMs = performance.now() - before;
      const { user, system } = process.cpuUsage(cpu);
      cpuMs = (user + system) / 1000;
      return model.symbols;
    });
    return {
      kind: 'spoken',
      id,
      loadMs,
      runMs,
      cpuMs,
      runtime: kind,
      memoryBytes: process.memoryUsage.rss(),
      symbols: loadMs > 0 ? symbols : null,
    };
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).slice(0, 1000);
    const isOutOfMemory = error instanceof ModelError && error.isOutOfMemory;
    return isFinal(error)
      ? { kind: 'stop', message, isOutOfMemory }
      : { kind: 'failed', id, message, isOutOfMemory };
  }
}

function start(): NeuralModels {
  const runtime = loadRuntime(settings);
  ({ kind } = runtime);
  return new NeuralModels(runtime, settings, () => send({ kind: 'idle' }));
}

/** An abort of WebAssembly leaves the runtime in an unknown state. */
function isFinal(error: unknown): boolean {
  return (
    models?.isFragmented === true ||
    (error instanceof Error && error.cause instanceof WebAssembly.RuntimeError)
  );
}
