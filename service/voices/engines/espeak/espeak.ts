import { levelled } from '../../../kit/audio/level.js';
import { toFloat, toInt16 } from '../../../kit/audio/samples.js';
import { type Engine, NothingToSpeakError, type EnginePiece, type SynthesisRequest } from '../engine.js';
import { fitDuration } from '../fit-duration.js';
import { loudnessOfVoice } from '../loudness-of-voices.js';
import { withoutEmoji } from '../normalize/emoji/emoji.js';
import { tagOfVoice } from '../tag-of-voice.js';
import { onOneTimeline, pieceSeconds, shiftPhonemes } from '../pieces.js';
import { EspeakChild } from './espeak-child.js';
import { textInWords } from './in-words.js';
import { readJapanese } from './japanese/japanese.js';
import { RATE } from './messages.js';
import { isAudible, phonemesOfMarks } from './phonemes.js';
import { KANJI_HINT, readsKanji } from '../../../kit/packages.js';
import { type EspeakSettings, espeakSettings } from './settings.js';
import { stretch } from './stretch.js';
import { espeakSentences, toEspeakText, toUsualForm } from './text.js';
import { type EspeakVoice, espeakVoices } from './voices.js';

/** Seconds between two sentences at the neutral rate, as in eSpeak's own output. */
const PAUSE = 0.3;

export interface EspeakOptions {
  child?: EspeakChild;
  /** Whether the Japanese dictionary is installed. */
  readsKanji?: boolean;
}

/** Starts the engine. eSpeak's process starts with the first sentence. */
export function startEspeak(options: EspeakOptions = {}): Engine {
  const { child = new EspeakChild(), readsKanji: hasDictionary = readsKanji() } = options;
  const reader = hasDictionary ? child : undefined;
  return {
    speak: async function* (request, signal) {
      const say = speaker(child, request);
      const reading = await readingOf(request, reader, signal);
      const sentences = espeakSentences(toEspeakText(reading, request.language), request.language);
      const settings = await fittingSettings(say, sentences, request, signal);
      let isSilent = true;
      for await (const piece of onOneTimeline(piecesOf(say, sentences, settings, signal))) {
        isSilent = false;
        yield piece;
      }
      if (isSilent) throw nothingToSpeak(request, reader);
    },
    close: () => child.close(),
  };
}

/** Replaces signs and Japanese kanji by words that eSpeak can read. */
function readingOf(
  { text, isReading = false, language, voice: id }: SynthesisRequest,
  reader: EspeakChild | undefined,
  signal: AbortSignal,
): Promise<string> | string {
  if (language !== 'ja') return textInWords(text, tagOfVoice(language, voiceOf(id).locale), isReading);
  const usual = withoutEmoji(toUsualForm(text));
  return readJapanese(usual, signal, reader && ((part) => reader.read(part)), isReading);
}

function nothingToSpeak({ text, language }: SynthesisRequest, reader: EspeakChild | undefined): Error {
  const error = new NothingToSpeakError();
  const lacksDictionary = language === 'ja' && reader === undefined && /\p{Script=Han}/u.test(text);
  if (lacksDictionary) error.message += `. ${KANJI_HINT}`;
  return error;
}

type Say = (sentence: string, settings: EspeakSettings) => Promise<EnginePiece>;

function voiceOf(id: string): EspeakVoice {
  const voice = espeakVoices.find((voice) => voice.id === id);
  if (voice === undefined) throw new Error(`voice "${id}": unknown to the engine "espeak"`);
  return voice;
}

function speaker(child: EspeakChild, { voice: id }: SynthesisRequest): Say {
  const voice = voiceOf(id);
  return async (text, { stretch: factor, ...settings }) => {
    const { samples, sampleRate, marks } = await child.utter({ voice: voice.espeakName, text, ...settings });
    const spoken = factor === 1 ? toFloat(samples) : stretch(toFloat(samples), sampleRate, factor);
    const scaled = marks.map((mark) => ({ ...mark, at: mark.at * factor }));
    return {
      samples: toInt16(levelled(spoken, sampleRate, loudnessOfVoice(voice.id))),
      sampleRate,
      phonemes: phonemesOfMarks(scaled, spoken.length / sampleRate),
    };
  };
}

/** Yields the audible sentences, with a pause before each except the first. */
async function* piecesOf(
  say: Say,
  sentences: readonly string[],
  settings: EspeakSettings,
  signal: AbortSignal,
): AsyncGenerator<EnginePiece> {
  let pause = 0;
  for (const sentence of sentences) {
    signal.throwIfAborted();
    const piece = await say(sentence, settings);
    if (!isAudible(piece.phonemes)) continue;
    yield afterPause(piece, pause);
    pause = (PAUSE * RATE.neutral * settings.stretch) / settings.rate;
  }
}

function afterPause({ samples, sampleRate, phonemes }: EnginePiece, pause: number): EnginePiece {
  const silence = Math.round(pause * sampleRate);
  if (silence === 0) return { samples, sampleRate, phonemes };
  const withSilence = new Int16Array(silence + samples.length);
  withSilence.set(samples, silence);
  const seconds = silence / sampleRate;
  return {
    samples: withSilence,
    sampleRate,
    phonemes: [{ symbol: '', start: 0, duration: seconds }, ...shiftPhonemes(phonemes, seconds)],
  };
}

/** Settings for the requested duration or, if none is requested, for the speed. Trials skip the slow stretching. */
async function fittingSettings(
  say: Say,
  sentences: readonly string[],
  { delivery }: SynthesisRequest,
  signal: AbortSignal,
): Promise<EspeakSettings> {
  const speed = await fitDuration(delivery, async (speed) => {
    const { stretch: factor, ...settings } = espeakSettings(delivery, speed);
    let seconds = 0;
    for await (const piece of piecesOf(say, sentences, { ...settings, stretch: 1 }, signal)) {
      seconds += pieceSeconds(piece) * factor;
    }
    return seconds;
  });
  return espeakSettings(delivery, speed);
}
