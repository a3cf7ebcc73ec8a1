import { normalize, toFloat, toInt16 } from '../../audio/samples.js';
import {
  type Delivery,
  type Engine,
  type EnginePlugin,
  NothingToSpeakError,
  type Phoneme,
  type SpeechPiece,
  type SpeechRequest,
} from '../engine.js';
import { EspeakChild } from './espeak-child.js';
import { ANALYSER } from './japanese/analyser.js';
import { readJapanese } from './japanese/japanese.js';
import { RATE } from './messages.js';
import { isAudible, phonemesOf } from './phonemes.js';
import { type Manner, mannerOf } from './settings.js';
import { withSignWords } from './signs.js';
import { stretch } from './stretch.js';
import { sentencesOf, toReadable, toUsualForm } from './text.js';
import { espeakVoices } from './voices.js';

const PACKAGE = '@echogarden/espeak-ng-emscripten';

/** How the languages beside English are added. */
export const ESPEAK_HINT = `For 30 more languages run "npm install ${PACKAGE}": eSpeak NG, under the licence GPL-3.`;

/** Seconds between two sentences at the usual speed, as eSpeak itself pauses. */
const PAUSE = 0.3;
/** A wished length counts as met within this share of it; the rate of speech is almost, not quite, linear. */
const LENGTH_TOLERANCE = 0.01;
const MAX_FITTINGS = 5;

/** How Japanese in kanji is added. */
export const KANJI_HINT = `To read Japanese in kanji run "npm install ${ANALYSER}"; without it only kana and numbers are.`;

type Resolve = (id: string) => string;

/**
 * eSpeak NG for 31 languages, where its optional package is installed.
 * @param resolve Finds a package or throws; loads nothing.
 * @returns undefined without the package: then `ESPEAK_HINT` says how to add it
 */
export function findEspeak(resolve: Resolve = require.resolve): EnginePlugin | undefined {
  if (!isInstalled(PACKAGE, resolve)) return undefined;
  return {
    id: 'espeak',
    voices: espeakVoices,
    prepare: () => Promise.resolve(),
    start: () => Promise.resolve(startEspeak({ readsKanji: readsKanji(resolve) })),
  };
}

/** Whether the dictionary for Japanese is installed too; without it `KANJI_HINT` says how to add it. */
export function readsKanji(resolve: Resolve = require.resolve): boolean {
  return isInstalled(ANALYSER, resolve);
}

function isInstalled(id: string, resolve: Resolve): boolean {
  try {
    resolve(id);
    return true;
  } catch {
    return false;
  }
}

export interface EspeakOptions {
  child?: EspeakChild;
  /** Whether the package of the Japanese dictionary is there. */
  readsKanji?: boolean;
}

/** Starts eSpeak with its first sentence. */
export function startEspeak(options: EspeakOptions = {}): Engine {
  const { child = new EspeakChild(), readsKanji: hasDictionary = readsKanji() } = options;
  const reader = hasDictionary ? child : undefined;
  return {
    speak: async function* (request, signal) {
      const reading = await readingOf(request, reader, signal);
      const say = speaker(child, request);
      const sentences = sentencesOf(toReadable(reading, request.language), request.language);
      const manner = await fittingManner(say, sentences, request.delivery, signal);
      let start: number | undefined;
      for await (const piece of spokenPieces(say, sentences, manner, signal)) {
        yield { ...piece, phonemes: shifted(piece.phonemes, start ?? 0) };
        start = (start ?? 0) + secondsOf(piece);
      }
      if (start === undefined) throw nothingToSpeak(request, reader);
    },
    close: () => child.close(),
  };
}

/** The text in words that eSpeak can say. */
function readingOf(
  { text, language }: SpeechRequest,
  reader: EspeakChild | undefined,
  signal: AbortSignal,
): Promise<string> | string {
  const usual = toUsualForm(text);
  if (language !== 'ja') return withSignWords(usual, language);
  return readJapanese(usual, signal, reader && ((part) => reader.read(part)));
}

function nothingToSpeak({ text, language }: SpeechRequest, reader: EspeakChild | undefined): Error {
  const error = new NothingToSpeakError();
  const lacksDictionary = language === 'ja' && reader === undefined && /\p{Script=Han}/u.test(text);
  if (lacksDictionary) error.message += `. ${KANJI_HINT}`;
  return error;
}

type Say = (sentence: string, manner: Manner) => Promise<SpeechPiece>;

function speaker(child: EspeakChild, { voice: id }: SpeechRequest): Say {
  const voice = espeakVoices.find((voice) => voice.id === id);
  if (voice === undefined) throw new Error(`the engine has no voice "${id}"`);
  return async (text, { stretch: factor, ...settings }) => {
    const { samples, sampleRate, marks } = await child.utter({ voice: voice.espeakName, text, ...settings });
    const spoken = factor === 1 ? toFloat(samples) : stretch(toFloat(samples), sampleRate, factor);
    const scaled = marks.map((mark) => ({ ...mark, at: mark.at * factor }));
    return {
      samples: toInt16(normalize(spoken)),
      sampleRate,
      phonemes: phonemesOf(scaled, spoken.length / sampleRate),
    };
  };
}

/** What can be heard of the sentences, with a pause before each but the first. */
async function* spokenPieces(
  say: Say,
  sentences: readonly string[],
  manner: Manner,
  signal: AbortSignal,
): AsyncGenerator<SpeechPiece> {
  let pause = 0;
  for (const sentence of sentences) {
    signal.throwIfAborted();
    const piece = await say(sentence, manner);
    if (!isAudible(piece.phonemes)) continue;
    yield afterPause(piece, pause);
    pause = (PAUSE * RATE.neutral * manner.stretch) / manner.rate;
  }
}

function afterPause({ samples, sampleRate, phonemes }: SpeechPiece, pause: number): SpeechPiece {
  const silence = Math.round(pause * sampleRate);
  if (silence === 0) return { samples, sampleRate, phonemes };
  const whole = new Int16Array(silence + samples.length);
  whole.set(samples, silence);
  const seconds = silence / sampleRate;
  return {
    samples: whole,
    sampleRate,
    phonemes: [{ symbol: '', start: 0, duration: seconds }, ...shifted(phonemes, seconds)],
  };
}

/** The manner that gives the wished length, found by speaking and measuring; else the one of the speed. */
async function fittingManner(
  say: Say,
  sentences: readonly string[],
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Manner> {
  let speed = delivery.speed;
  for (let fitting = 0; delivery.duration !== 0 && fitting < MAX_FITTINGS; fitting++) {
    const { stretch: factor, ...settings } = mannerOf(delivery, speed);
    let seconds = 0;
    for await (const piece of spokenPieces(say, sentences, { ...settings, stretch: 1 }, signal)) {
      seconds += secondsOf(piece) * factor;
    }
    const excess = seconds / delivery.duration;
    if (seconds === 0 || Math.abs(excess - 1) <= LENGTH_TOLERANCE) break;
    speed *= excess;
  }
  return mannerOf(delivery, speed);
}

function secondsOf({ samples, sampleRate }: SpeechPiece): number {
  return samples.length / sampleRate;
}

function shifted(phonemes: readonly Phoneme[], seconds: number): Phoneme[] {
  return phonemes.map((phoneme) => ({ ...phoneme, start: phoneme.start + seconds }));
}
