import { hasProperties } from '../../../kit/objects.js';

/* Messages between a worker and eSpeak's process. A schema library would add 50 ms to each start of both. */

/** Limits of eSpeak's rate in words per minute. */
export const RATE = { min: 80, neutral: 175, max: 450 };
/** Limits of eSpeak's pitch and range. */
export const LEVEL = { min: 0, neutral: 50, max: 99 };

/** Maximum UTF-16 code units of a request, which is one sentence. */
export const MAX_TEXT = 400;
/** Maximum UTF-16 code units of eSpeak's name of a voice. */
const MAX_VOICE = 40;
/** Maximum number of texts of a request for phonemes. */
export const MAX_TEXTS = 500;
/** Maximum seconds of audio for a request. A sentence at the lowest rate is far shorter. */
export const MAX_REQUEST_SECONDS = 300;
const MAX_SAMPLE_RATE = 48_000;
const MAX_MARKS = 100_000;
/** Maximum kana for a character of a word, sign or number. */
const MAX_KANA_PER_UNIT = 12;
/** Maximum UTF-16 code units of phonemes for one of the text, which may be a digit or an emoji. */
const MAX_PHONEME_SIGNS = 100;
/** Maximum UTF-16 code units of the reason of a failure. */
export const MAX_MESSAGE = 1000;

/** One sentence to speak. */
export interface UtteranceRequest {
  /** eSpeak's name of a language and a variant, such as `de+woman`. */
  voice: string;
  /** At most `MAX_TEXT` UTF-16 code units. */
  text: string;
  /** Words per minute within `RATE`. */
  rate: number;
  /** Within `LEVEL`. */
  pitch: number;
  /** Pitch range within `LEVEL`. */
  range: number;
}

export interface PhonemesRequest {
  /** eSpeak's name of a language, such as `en-us`. */
  voice: string;
  /** At most `MAX_TEXTS` texts of `MAX_TEXT` UTF-16 code units. */
  texts: string[];
}

/** A request to eSpeak's process. `read` converts a part of a Japanese text to kana. */
export type ChildRequest =
  | ({ kind: 'utter' } & UtteranceRequest)
  | { kind: 'read'; text: string }
  | ({ kind: 'phonemes' } & PhonemesRequest);

/** The start of a sound in seconds, with its IPA symbol (`''` for silence). `null` marks a word or an end. */
export interface EspeakMark {
  at: number;
  symbol: string | null;
}

/** The audio of a sentence. */
export interface EspeakUtterance {
  kind: 'spoken';
  /** At most `MAX_REQUEST_SECONDS`. */
  samples: Int16Array;
  /** Hertz. */
  sampleRate: number;
  marks: EspeakMark[];
}

/**
 * A reply of eSpeak's process: one for each request, in order. `phonemes` has the phonemes of each text in IPA with stress marks.
 * `_` separates phonemes, a space separates words, ` | ` separates clauses. A change of language has a mark such as `(en)`.
 */
export type ChildReply =
  | EspeakUtterance
  | { kind: 'read'; kana: string }
  | { kind: 'phonemes'; texts: string[] }
  | { kind: 'failed'; message: string };

type Properties = Readonly<Record<string, unknown>>;

/** @throws TypeError if eSpeak's process received anything else, or a text that exceeds its memory */
export function toChildRequest(value: unknown): ChildRequest {
  if (isChildRequest(value)) return value;
  throw new TypeError("unexpected request to eSpeak's process");
}

/** @throws TypeError if eSpeak's process sent anything else, or more than a sentence can have */
export function toChildReply(value: unknown): ChildReply {
  if (isChildReply(value)) return value;
  throw new TypeError("unexpected reply of eSpeak's process");
}

function isChildRequest(value: unknown): value is ChildRequest {
  if (!hasProperties(value)) return false;
  const { kind, voice, text, texts } = value;
  if (kind === 'read') return isText(text, MAX_TEXT);
  if (kind === 'phonemes') return isText(voice, MAX_VOICE) && areTexts(texts, MAX_TEXT);
  return kind === 'utter' && isUtterance(value);
}

function isUtterance({ voice, text, rate, pitch, range }: Properties): boolean {
  const hasTexts = isText(voice, MAX_VOICE) && isText(text, MAX_TEXT);
  return hasTexts && isWithin(rate, RATE) && isWithin(pitch, LEVEL) && isWithin(range, LEVEL);
}

function isChildReply(value: unknown): value is ChildReply {
  if (!hasProperties(value)) return false;
  const { kind, kana, texts, message } = value;
  if (kind === 'spoken') return isSpoken(value);
  if (kind === 'read') return isText(kana, MAX_TEXT * MAX_KANA_PER_UNIT);
  if (kind === 'phonemes') return areTexts(texts, MAX_TEXT * MAX_PHONEME_SIGNS);
  return kind === 'failed' && isText(message, MAX_MESSAGE);
}

function isSpoken({ samples, sampleRate, marks }: Properties): boolean {
  if (!(samples instanceof Int16Array) || samples.length > MAX_REQUEST_SECONDS * MAX_SAMPLE_RATE)
    return false;
  if (!isWithin(sampleRate, { min: 1, max: MAX_SAMPLE_RATE })) return false;
  return Array.isArray(marks) && marks.length <= MAX_MARKS && marks.every(isMark);
}

function isMark(value: unknown): boolean {
  if (!hasProperties(value)) return false;
  const { at, symbol } = value;
  return Number.isFinite(at) && (symbol === null || typeof symbol === 'string');
}

function areTexts(value: unknown, limit: number): boolean {
  return Array.isArray(value) && value.length <= MAX_TEXTS && value.every((text) => isText(text, limit));
}

/** Whether a value is a text of at most `limit` UTF-16 code units. */
function isText(value: unknown, limit: number): boolean {
  return typeof value === 'string' && value.length <= limit;
}

function isWithin(value: unknown, { min, max }: { min: number; max: number }): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}
