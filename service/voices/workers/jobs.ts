import type { Encoding } from '../../kit/audio/encoder.js';
import type { SampleFacts } from '../../kit/audio/sample.js';
import type { Phoneme, EnginePiece, SynthesisRequest } from '../engines/engine.js';
import type { NaturalFolders } from '../installed/folders.js';
import { hasKind, hasProperties } from '../../kit/objects.js';

/** The start data of every worker. */
export interface Preparation {
  /** Modules of additional engines. */
  modules: readonly string[];
  natural: NaturalFolders | undefined;
  /** The result of each engine's `prepare`, by the engine's id. */
  prepared: ReadonlyMap<string, unknown>;
}

/** Speaks a text. */
export interface SpeakJob {
  kind: 'speak';
  engine: string;
  /** The worker decodes `sample` to the request's `reference`. */
  request: Omit<SynthesisRequest, 'reference'>;
  /** A WAV or MP3 file of the voice to clone, for an engine that clones. */
  sample?: Uint8Array;
  /** `none` gives the duration and the phonemes only. */
  encoding: Encoding | 'none';
  /** Hertz of the audio; if absent, the sample rate of the voice. */
  sampleRate?: number;
  /** Whether the names of emoji are spoken. Otherwise, emoji are silent. */
  namesEmoji?: boolean;
}

/** Work for a worker. `analyse` measures the voice in a WAV or MP3 file, `prepare` loads the engines only. */
export type WorkerJob = SpeakJob | { kind: 'analyse'; file: Uint8Array } | { kind: 'prepare' };

/**
 * One output of `speak`: a sentence, or one of two parts of a sentence at another sample rate or as MP3. At the end, the rest of the
 * encoder's buffer with 0 seconds.
 */
export interface SynthesizedAudio {
  audio: Uint8Array;
  seconds: number;
  /** Seconds of computing time of the engine. */
  took: number;
  /** Hertz. */
  sampleRate: number;
  phonemes: Phoneme[];
  /** The text that is not spoken at the end of the audio. Undefined if the engine does not tell it. */
  rest?: string | undefined;
}

/** @throws TypeError if the worker received anything else as its start data */
export function toPreparation(value: unknown): Preparation {
  if (isPreparation(value)) return value;
  throw new TypeError('unexpected start data of a worker');
}

/** @throws TypeError if the worker received anything else */
export function toJob(value: unknown): WorkerJob {
  if (isJob(value)) return value;
  throw new TypeError('unexpected job for a worker');
}

/** @throws TypeError if an engine yields anything else: its module may not be TypeScript */
export function toSpeechPiece(value: unknown, engine: string): EnginePiece {
  if (isSpeechPiece(value)) return value;
  throw new TypeError(
    `engine "${engine}" yielded an invalid piece: expected samples (Int16Array), sampleRate (hertz) and phonemes`,
  );
}

/** @throws TypeError if the output is anything else */
export function toSynthesizedAudio(value: unknown): SynthesizedAudio {
  if (isSpokenPiece(value)) return value;
  throw new TypeError('unexpected output of a speak job');
}

/** @throws TypeError if the output is anything else */
export function toSampleFacts(value: unknown): SampleFacts {
  if (isSampleFacts(value)) return value;
  throw new TypeError('unexpected output of an analyse job');
}

function isPreparation(value: unknown): value is Preparation {
  return hasProperties(value) && Array.isArray(value['modules']) && value['prepared'] instanceof Map;
}

function isJob(value: unknown): value is WorkerJob {
  return hasKind(value, 'speak', 'analyse', 'prepare');
}

function isSpeechPiece(value: unknown): value is EnginePiece {
  if (!hasProperties(value) || !(value['samples'] instanceof Int16Array)) return false;
  const { sampleRate, phonemes, rest } = value;
  if (rest !== undefined && typeof rest !== 'string') return false;
  return isNumber(sampleRate) && sampleRate > 0 && Array.isArray(phonemes) && phonemes.every(isPhoneme);
}

function isPhoneme(value: unknown): value is Phoneme {
  if (!hasProperties(value) || typeof value['symbol'] !== 'string') return false;
  return isNumber(value['start']) && isNumber(value['duration']);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isSpokenPiece(value: unknown): value is SynthesizedAudio {
  return hasProperties(value) && value['audio'] instanceof Uint8Array && typeof value['seconds'] === 'number';
}

function isSampleFacts(value: unknown): value is SampleFacts {
  return hasProperties(value) && typeof value['seconds'] === 'number' && 'pitch' in value;
}
