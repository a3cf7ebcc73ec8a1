import { SPEAKABLE } from '@herald-speech/client/interface';
import { plainText } from '@herald-speech/client/text';
import { chooseVoice } from '../speech/choose-voice.js';
import { voiceOfLanguage } from '../speech/default-voice.js';
import type { ChosenVoice, VoiceDependencies, VoiceQuery } from '../speech/named-voice.js';
import type { SpeechCall } from '../speech/speech-call.js';
import {
  chargedPieces,
  type SpeechDependencies,
  type SpokenSpeech,
  startSpeech,
} from '../speech/start-speech.js';
import type { WyomingEvent } from '@herald-speech/client/wyoming';
import type { SpeechOrder } from './session.js';

/** Bytes of samples in an event: 93 ms at 22,050 hertz. */
const CHUNK_BYTES = 4096;
/** Bytes of a sample. */
const WIDTH = 2;

/**
 * Yields the events of a spoken text: `audio-start`, `audio-chunk`, `audio-stop`, and for a stream `synthesize-stopped`. A
 * stream without anything to speak has no audio. The audio has one sample rate.
 * @param onVoice receives the voice that speaks the text, before its first event
 * @throws ServiceError, AccountsError or WorkerError
 */
export async function* spokenEvents(
  dependencies: SpeechDependencies,
  order: SpeechOrder,
  call: SpeechCall,
  onVoice: (voice: ChosenVoice) => void,
): AsyncGenerator<WyomingEvent> {
  const account = call.caller.account.id;
  const { language } = voiceFor(dependencies, order.voice, account);
  const texts = textsOf(order, language, call.signal);
  const first = await texts.next();
  if (first.done !== true) {
    const voice = voiceFor(dependencies, { ...order.voice, text: first.value }, account);
    onVoice(voice);
    const request = { ...voice, text: first.value, more: texts, waits: true };
    yield* audioEvents(await startSpeech(dependencies, request, call, 'wyoming'));
  }
  if (typeof order.text !== 'string') yield { type: 'synthesize-stopped', data: {} };
}

/**
 * Chooses the voice of a request. The name of a voice may also be a language, because some clients send it there.
 * @throws ServiceError 404 for an unknown voice or language
 */
function voiceFor(dependencies: VoiceDependencies, wish: VoiceQuery, account: string): ChosenVoice {
  try {
    return chooseVoice(dependencies, wish, account);
  } catch (error) {
    const spoken = wish.voice === undefined ? undefined : voiceOfLanguage(dependencies, wish.voice, account);
    if (spoken === undefined) throw error;
    return spoken;
  }
}

/** Yields the texts without markup. The parts of a stream without a letter or digit are left out. */
async function* textsOf(
  { text }: SpeechOrder,
  language: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (typeof text === 'string') {
    yield plainText(text).text;
    return;
  }
  for await (const sentence of text.sentences(language, signal)) {
    const plain = plainText(sentence).text;
    if (SPEAKABLE.test(plain)) yield plain;
  }
}

async function* audioEvents(spoken: SpokenSpeech): AsyncGenerator<WyomingEvent> {
  let format: WyomingEvent['data'] | undefined;
  for await (const { audio, sampleRate } of chargedPieces(spoken)) {
    if (format === undefined) {
      format = { rate: sampleRate, width: WIDTH, channels: 1 };
      yield { type: 'audio-start', data: format };
    }
    for (let start = 0; start < audio.length; start += CHUNK_BYTES) {
      yield { type: 'audio-chunk', data: format, payload: audio.subarray(start, start + CHUNK_BYTES) };
    }
  }
  const { voiceFallback: voice, fallbackReason: reason } = spoken.voice;
  // A name of Herald's own, which clients ignore, and show if they log events.
  const fallback = voice !== undefined && { fallback: { voice, ...(reason !== undefined && { reason }) } };
  if (format !== undefined) yield { type: 'audio-stop', data: { ...fallback } };
}
