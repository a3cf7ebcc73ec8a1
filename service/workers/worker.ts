import { workerData } from 'node:worker_threads';
import { type Encoder, startEncoder } from '../audio/encoder.js';
import { resample } from '../audio/resample.js';
import { analyseSample, decodeSample, SampleError } from '../audio/sample.js';
import {
  type Engine,
  NothingToSpeakError,
  type SpeechPiece,
  type SynthesisRequest,
  VoiceError,
} from '../engines/engine.js';
import { loadEngines } from '../engines/engines.js';
import { type SpeakJob, type SpokenPiece, toJob, toPreparation, toSpeechPiece } from './jobs.js';
import { serveJobs } from './serve-jobs.js';
import { WorkerError, type WorkerFailure } from './worker-error.js';

const { modules, natural, prepared } = toPreparation(workerData);
const engines = loadEngines(modules, natural);
const started = new Map<string, Promise<Engine>>();

serveJobs(async function* (message, signal) {
  const job = toJob(message);
  try {
    if (job.kind === 'prepare') await engines;
    if (job.kind === 'speak') yield* speak(job, signal);
    if (job.kind === 'analyse') yield await analyseSample(job.file);
  } catch (error) {
    throw shown(error);
  }
}, closeEngines);

/** Ignores failures: an engine that did not start or cannot close leaves nothing to wait for. */
function closeEngines(): Promise<unknown> {
  return Promise.allSettled([...started.values()].map(async (engine) => (await engine).close?.()));
}

/** Errors with a message for the caller. By name, because a plug-in may load these classes from another copy of the package. */
const codes: Readonly<Record<string, WorkerFailure>> = {
  [NothingToSpeakError.name]: 'refused',
  [SampleError.name]: 'refused',
  [VoiceError.name]: 'voice',
};

function shown(error: unknown): unknown {
  const code = error instanceof Error ? codes[error.name] : undefined;
  return error instanceof Error && code !== undefined
    ? new WorkerError(code, error.message, { cause: error })
    : error;
}

async function* speak(
  { engine: id, request, sample, encoding, sampleRate: wanted }: SpeakJob,
  signal: AbortSignal,
): AsyncGenerator<SpokenPiece> {
  const engine = await startedEngine(id);
  let encoder: Encoder | undefined;
  let sampleRate = 0;
  const complete: SynthesisRequest = sample ? { ...request, reference: await decodeSample(sample) } : request;
  if (encoding === 'none' && engine.predict !== undefined) {
    const seconds = await engine.predict(complete, signal);
    yield { audio: new Uint8Array(), seconds, took: 0, sampleRate, phonemes: [] };
    return;
  }
  let start = performance.now();
  for await (const output of engine.speak(complete, signal)) {
    const took = (performance.now() - start) / 1000;
    const piece = atRate(toSpeechPiece(output, id), wanted);
    sampleRate = piece.sampleRate;
    if (encoding !== 'none') encoder ??= await startEncoder(encoding, sampleRate);
    yield { ...encoded(piece, encoder), took };
    start = performance.now();
  }
  if (encoder !== undefined) yield { audio: encoder.end(), seconds: 0, took: 0, sampleRate, phonemes: [] };
}

function atRate(piece: SpeechPiece, wanted = piece.sampleRate): SpeechPiece {
  return { ...piece, samples: resample(piece.samples, piece.sampleRate, wanted), sampleRate: wanted };
}

function encoded({ samples, sampleRate, phonemes }: SpeechPiece, encoder: Encoder | undefined) {
  const audio = encoder?.encode(samples) ?? new Uint8Array();
  return { audio, seconds: samples.length / sampleRate, sampleRate, phonemes };
}

async function startedEngine(id: string): Promise<Engine> {
  const plugin = (await engines).find((engine) => engine.id === id);
  if (plugin === undefined) throw new Error(`engine "${id}": unknown engine`);
  const engine = started.get(id) ?? plugin.start(prepared.get(id));
  started.set(id, engine);
  return engine;
}
