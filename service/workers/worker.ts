import { workerData } from 'node:worker_threads';
import { type Encoder, startEncoder } from '../audio/encoder.js';
import { analyseSample, SampleError } from '../audio/sample.js';
import { type Engine, NothingToSpeakError, type SpeechPiece } from '../engines/engine.js';
import { engines } from '../engines/engines.js';
import { job, type SpeakJob, type SpokenPiece } from './jobs.js';
import { serveJobs } from './serve-jobs.js';
import { WorkerError } from './worker-error.js';

/** What each engine's `prepare` gave, by the engine's id. */
const prepared = workerData instanceof Map ? workerData : new Map<string, unknown>();
const started = new Map<string, Promise<Engine>>();

serveJobs(async function* (message, signal) {
  const wanted = job.parse(message);
  try {
    if (wanted.kind === 'speak') yield* speak(wanted, signal);
    else yield await analyseSample(wanted.file);
  } catch (error) {
    if (error instanceof NothingToSpeakError || error instanceof SampleError) {
      throw new WorkerError('refused', error.message, { cause: error });
    }
    throw error;
  }
});

async function* speak(
  { engine: id, request, encoding }: SpeakJob,
  signal: AbortSignal,
): AsyncGenerator<SpokenPiece> {
  const engine = await startedEngine(id);
  let encoder: Encoder | undefined;
  let sampleRate = 0;
  for await (const piece of engine.speak(request, signal)) {
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

function startedEngine(id: string): Promise<Engine> {
  const plugin = engines.find((engine) => engine.id === id);
  if (plugin === undefined) throw new Error(`there is no engine "${id}"`);
  const engine = started.get(id) ?? plugin.start(prepared.get(id));
  started.set(id, engine);
  return engine;
}
