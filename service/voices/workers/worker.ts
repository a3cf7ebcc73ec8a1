import { workerData } from 'node:worker_threads';
import { foreignLanguage } from '@herald-speech/client/text';
import type * as emojiModule from '../engines/normalize/emoji/emoji.js';
import type * as readingModule from '../engines/normalize/reading.js';
import { type SampleEncoder, startEncoder } from '../../kit/audio/encoder.js';
import { PieceResampler, resample, resampledLength } from '../../kit/audio/resample.js';
import { analyseSample, decodeSample, SampleError } from '../../kit/audio/sample.js';
import {
  type Engine,
  type EnginePlugin,
  NothingToSpeakError,
  type EnginePiece,
  SpeechTimeoutError,
  type SynthesisRequest,
  VoiceError,
} from '../engines/engine.js';
import { loadEngines } from '../engines/engines.js';
import { pieceSeconds } from '../engines/pieces.js';
import { tagOfVoice } from '../engines/tag-of-voice.js';
import {
  type SpeakJob,
  type SynthesizedAudio,
  toJob,
  toPreparation,
  toSpeechPiece,
  type WorkerJob,
} from './jobs.js';
import { serveJobs } from './serve-jobs.js';
import { WorkerError, type WorkerFailure } from '../../kit/worker-error.js';

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
    throw shown(error, job);
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
  [SpeechTimeoutError.name]: 'timed-out',
  [VoiceError.name]: 'voice',
};

function shown(error: unknown, job: WorkerJob): unknown {
  const code = error instanceof Error ? codes[error.name] : undefined;
  if (!(error instanceof Error) || code === undefined) return error;
  const isUnreadable = error.name === NothingToSpeakError.name && job.kind === 'speak';
  const message = (isUnreadable ? unreadable(job.request) : undefined) ?? error.message;
  return new WorkerError(code, message, { cause: error });
}

/** Returns the message for a text in letters of another language; undefined for other texts. */
function unreadable({ text, language, voice }: SpeakJob['request']): string | undefined {
  const foreign = foreignLanguage(text, language);
  if (foreign === undefined) return undefined;
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(foreign) ?? foreign;
  return `text: nothing to speak. The voice ${voice} does not speak ${name}. Choose a voice that speaks ${name}`;
}

async function* speak(
  { engine: id, request: asked, sample, encoding, sampleRate: wanted, namesEmoji }: SpeakJob,
  signal: AbortSignal,
): AsyncGenerator<SynthesizedAudio> {
  const engine = await startedEngine(id);
  let encoder: SampleEncoder | undefined;
  let sampleRate = 0;
  const named = namesEmoji === true ? withEmojiNames(asked) : asked;
  const request = { ...named, text: await inWays(named, id) };
  const complete: SynthesisRequest = sample ? { ...request, reference: await decodeSample(sample) } : request;
  if (encoding === 'none' && engine.predict !== undefined) {
    const seconds = await engine.predict(complete, signal);
    yield { audio: new Uint8Array(), seconds, took: 0, sampleRate, phonemes: [] };
    return;
  }
  const pieces = new SentencePieces();
  let rest: string | undefined = request.text;
  let start = performance.now();
  let failure: { error: unknown } | undefined;
  try {
    for await (const output of engine.speak(complete, signal)) {
      const took = (performance.now() - start) / 1000;
      const piece = toSpeechPiece(output, id);
      sampleRate = wanted ?? piece.sampleRate;
      if (encoding !== 'none') encoder ??= await startEncoder(encoding, sampleRate);
      const isConverted = encoding === 'mp3' || sampleRate !== piece.sampleRate;
      for (const part of pieces.partsOf(piece, sampleRate, isConverted))
        yield encoded(part, encoder, took / pieceSeconds(piece));
      ({ rest } = piece);
      start = performance.now();
    }
  } catch (error) {
    failure = { error };
  }
  // Also after a failure, because another voice goes on behind the last sample.
  if (encoder !== undefined)
    yield { audio: encoder.end(), seconds: 0, took: 0, sampleRate, phonemes: [], rest };
  if (failure !== undefined) throw failure.error;
}

/** Replaces the elements `say-as` of a text by words, for any engine. Few texts have them, so the rules are loaded with the first one. */
async function inWays({ text, language, voice: id }: SpeakJob['request'], engine: string): Promise<string> {
  if (!/<say-as\s/iu.test(text)) return text;
  const { withWays }: typeof readingModule = require('../engines/normalize/reading.js');
  const voice = (await plugInNamed(engine)).voices.find((one) => one.id === id);
  return withWays(text, tagOfVoice(language, voice?.locale));
}

/** For any engine. Few services name emoji, so the module is loaded with the first text. */
function withEmojiNames(request: SpeakJob['request']): SpeakJob['request'] {
  const { withEmojiNames: named }: typeof emojiModule = require('../engines/normalize/emoji/emoji.js');
  return { ...request, text: named(request.text, request.language) };
}

/** Seconds of the first part of a sentence whose conversion takes time, so that a stream starts before the conversion ends. */
const FIRST_PART = 0.5;

/** Converts the pieces of a speech to a sample rate. */
class SentencePieces {
  #resampler: PieceResampler | undefined;

  /** Yields a piece at a sample rate. A whole sentence that is converted has two parts. The phonemes belong to the first part. */
  *partsOf(piece: EnginePiece, sampleRate: number, isConverted: boolean): Generator<EnginePiece> {
    const { samples, sampleRate: from, phonemes, isContinued = false, rest } = piece;
    const atEnd = rest !== undefined && { rest };
    if (isContinued || this.#resampler !== undefined) {
      this.#resampler ??= new PieceResampler(sampleRate);
      yield { samples: this.#resampler.add(samples, from, isContinued), sampleRate, phonemes, ...atEnd };
      if (!isContinued) this.#resampler = undefined;
      return;
    }
    const length = resampledLength(samples.length, from, sampleRate);
    const first = isConverted ? Math.min(length, Math.round(FIRST_PART * sampleRate)) : length;
    const isWhole = first === length;
    yield {
      samples: resample(samples, from, sampleRate, 0, first),
      sampleRate,
      phonemes,
      ...(isWhole && atEnd),
    };
    if (isWhole) return;
    yield { samples: resample(samples, from, sampleRate, first, length), sampleRate, phonemes: [], ...atEnd };
  }
}

/** @param pace seconds of computing time of the engine for a second of audio */
function encoded(part: EnginePiece, encoder: SampleEncoder | undefined, pace: number): SynthesizedAudio {
  const audio = encoder?.encode(part.samples) ?? new Uint8Array();
  const seconds = pieceSeconds(part);
  const { sampleRate, phonemes, rest } = part;
  return { audio, seconds, took: seconds === 0 ? 0 : seconds * pace, sampleRate, phonemes, rest };
}

async function plugInNamed(id: string): Promise<EnginePlugin> {
  const plugin = (await engines).find((engine) => engine.id === id);
  if (plugin === undefined) throw new Error(`engine "${id}": unknown engine`);
  return plugin;
}

async function startedEngine(id: string): Promise<Engine> {
  const plugin = await plugInNamed(id);
  const engine = started.get(id) ?? plugin.start(prepared.get(id));
  started.set(id, engine);
  return engine;
}
