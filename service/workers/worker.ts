import { workerData } from 'node:worker_threads';
import { type Encoder, startEncoder } from '../audio/encoder.js';
import { analyseSample, decodeSample, SampleError } from '../audio/sample.js';
import { type Engine, NothingToSpeakError, type SpeechPiece, type SpeechRequest } from '../engines/engine.js';
import { loadEngines } from '../engines/engines.js';
import { job, preparation, type SpeakJob, type SpokenPiece } from './jobs.js';
import { serveJobs } from './serve-jobs.js';
import { WorkerError } from './worker-error.js';

const { modules, prepared } = preparation.parse(workerData);
const engines = loadEngines(modules);
const started = new Map<string, Promise<Engine>>();

serveJobs(async function* (message, signal) {
  const wanted = job.parse(message);
  try {
    if (wanted.kind === 'speak') yield* speak(wanted, signal);
    if (wanted.kind === 'analyse') yield await analyseSample(wanted.file);
  } catch (error) {
    throw isRefusal(error) ? new WorkerError('refused', error.message, { cause: error }) : error;
  }
}, closeEngines);

/** One that can't be closed, or never started, has nothing that could be waited for. */
function closeEngines(): Promise<unknown> {
  return Promise.allSettled([...started.values()].map(async (engine) => (await engine).close?.()));
}

/** By name: a plug-in has the error from elsewhere. */
const refusals: readonly string[] = [NothingToSpeakError.name, SampleError.name];

function isRefusal(error: unknown): error is Error {
  return error instanceof Error && refusals.includes(error.name);
}

async function* speak(
  { engine: id, request, sample, encoding }: SpeakJob,
  signal: AbortSignal,
): AsyncGenerator<SpokenPiece> {
  const engine = await startedEngine(id);
  let encoder: Encoder | undefined;
  let sampleRate = 0;
  const whole: SpeechRequest = sample ? { ...request, reference: await decodeSample(sample) } : request;
  for await (const piece of engine.speak(whole, signal)) {
    sampleRate = piece.sampleRate;
    if (encoding !== 'none') encoder ??= await startEncoder(encoding, sampleRate);
    yield spoken(piece, encoder);
  }
  if (encoder !== undefined) yield { audio: encoder.end(), seconds: 0, sampleRate, phonemes: [] };
}

function spoken({ samples, sampleRate, phonemes }: SpeechPiece, encoder: Encoder | undefined): SpokenPiece {
  const audio = encoder?.encode(samples) ?? new Uint8Array();
  return { audio, seconds: samples.length / sampleRate, sampleRate, phonemes };
}

async function startedEngine(id: string): Promise<Engine> {
  const plugin = (await engines).find((engine) => engine.id === id);
  if (plugin === undefined) throw new Error(`there is no engine "${id}"`);
  const engine = started.get(id) ?? plugin.start(prepared.get(id));
  started.set(id, engine);
  return engine;
}
