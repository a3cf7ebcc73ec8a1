import { voiceHeaders, voiceTrailers } from '../http/speech/spoken-reply.js';
import { begun } from '../speech/begun.js';
import type { SpeechCall, SpeechInput } from '../speech/speech-call.js';
import {
  chargedPieces,
  type SpeechDependencies,
  type SpokenSpeech,
  startSpeech,
} from '../speech/start-speech.js';
import { isNaturalVoice } from '../voices/catalogue/preset-voice.js';
import type { EngineVoice } from '../voices/engines/engine.js';
import type { SynthesizedAudio } from '../voices/workers/jobs.js';
import { formats } from './formats.js';
import { nativeModel } from './models.js';
import { eventReply, type ReplyCall, streamedReply, type TokenUsage, wholeReply } from './replies.js';
import type { SpeechFields } from './request.js';
import { localVoice } from './voices.js';

export interface CreateSpeechCall extends SpeechCall, ReplyCall {
  /** Version of the request, such as `1.1`. HTTP/1.0 has no replies of unknown length. */
  httpVersion: string;
  /** Aborts when the service closes. */
  closing: AbortSignal;
}

/**
 * Speaks the input (docs/openai.md).
 * @throws OpenAiError or an error of `startSpeech`, before audio is sent
 */
export async function createOpenAiSpeech(
  dependencies: SpeechDependencies,
  fields: SpeechFields,
  call: CreateSpeechCall,
): Promise<Response> {
  const request = toRequest(dependencies, fields, call);
  const spoken = await startSpeech(dependencies, request, call, 'openai');
  try {
    return await sent(await begun(spoken), fields, { ...dependencies, request }, call);
  } finally {
    spoken.charge.release();
  }
}

function toRequest(
  dependencies: SpeechDependencies,
  fields: SpeechFields,
  call: CreateSpeechCall,
): SpeechInput {
  const { model: name, input, voice, language: wish, response_format, speed } = fields;
  const model = nativeModel(name);
  const { voice_id, language, pitchShift } = localVoice(
    dependencies,
    { voice, language: wish, text: input },
    call.caller.account.id,
  );
  const { pieces, sampleRate } = formats[response_format];
  return {
    voice_id,
    language,
    text: input,
    isWhole: isWholeReply(fields, call, { voice: dependencies.catalogue.get(voice_id), language }),
    output_format: pieces,
    voice_settings: { speed, pitch_shift: pitchShift },
    ...(model !== undefined && { model }),
    ...(sampleRate !== undefined && { sampleRate }),
  };
}

/** Whether the reply is a whole file. Otherwise it is a stream that grows, or one of events. */
function isWholeReply(
  { input, stream, stream_format, response_format }: SpeechFields,
  { httpVersion }: CreateSpeechCall,
  { voice, language }: { voice: EngineVoice | undefined; language: string },
): boolean {
  if (stream_format === 'sse') return false;
  // A sentence of a natural voice arrives in parts. Programs that read a WAV rather wait for its length than for a stream.
  const isNatural = voice !== undefined && isNaturalVoice(voice);
  const isInParts = (isNatural && response_format !== 'wav') || !isOneSentence(input, language);
  return !stream || httpVersion === '1.0' || !isInParts;
}

async function sent(
  spoken: SpokenSpeech,
  fields: SpeechFields,
  {
    request: { voice_id, language, isWhole },
    signer,
  }: Pick<SpeechDependencies, 'signer'> & { request: SpeechInput },
  call: CreateSpeechCall,
): Promise<Response> {
  const { closing, signal } = call;
  const { charge, voice } = spoken;
  const mark = signer && { voice: voice.voiceFallback ?? voice_id, language, signer };
  const { mime, encode } = formats[fields.response_format];
  const headers = () => ({
    'content-type': mime,
    'x-content-type-options': 'nosniff',
    ...voiceHeaders(voice),
  });
  const trailers = () => voiceTrailers(voice);
  if (isWhole) {
    const parts = encode(countedPieces(spoken), { isWhole: true, mark, closing, signal });
    const reply = await wholeReply(parts, headers);
    charge.settle();
    return reply;
  }
  const pieces = chargedPieces(spoken, () => call.outgoing.headersSent);
  const parts = encode(pieces, { isWhole: false, mark, closing, signal });
  if (fields.stream_format !== 'sse') return streamedReply(parts, { headers, trailers }, call);
  return eventReply(parts, () => usageOf(fields.input, charge.seconds), { headers, trailers }, call);
}

/** Reserves the credits of each piece. Takes none: the caller of a whole reply pays only for a complete one. */
async function* countedPieces({ pieces, charge }: SpokenSpeech): AsyncGenerator<SynthesizedAudio> {
  for await (const piece of pieces) {
    charge.add(piece.seconds);
    yield piece;
  }
}

/** A sentence is one piece, so that its first audio is also its last: the reply can state its length without a delay. */
function isOneSentence(input: string, language: string): boolean {
  const sentences = new Intl.Segmenter(language, { granularity: 'sentence' }).segment(input.trim());
  return input.length <= MAX_SENTENCE && [...sentences].length === 1;
}

/** UTF-16 code units. An engine may cut a longer sentence into pieces. */
const MAX_SENTENCE = 150;

/** The local voices have no tokens: characters count as input, and seconds of audio as output. */
function usageOf(input: string, seconds: number): TokenUsage {
  const input_tokens = Array.from(input).length;
  const output_tokens = Math.ceil(seconds);
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
}
