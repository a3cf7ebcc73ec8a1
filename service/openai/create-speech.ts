import { voiceHeaders } from '../http/speech/spoken-reply.js';
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
    return await sent(spoken, fields, { ...dependencies, request }, call);
  } finally {
    spoken.charge.release();
  }
}

function toRequest(
  dependencies: SpeechDependencies,
  { model: name, input, voice, language: wish, response_format, speed }: SpeechFields,
  { caller }: SpeechCall,
): SpeechInput {
  const model = nativeModel(name);
  const { voice_id, language, pitchShift } = localVoice(
    dependencies,
    { voice, language: wish, text: input },
    caller.account.id,
  );
  const { pieces, sampleRate } = formats[response_format];
  return {
    voice_id,
    language,
    text: input,
    output_format: pieces,
    voice_settings: { speed, pitch_shift: pitchShift },
    ...(model !== undefined && { model }),
    ...(sampleRate !== undefined && { sampleRate }),
  };
}

async function sent(
  spoken: SpokenSpeech,
  { input, response_format, stream, stream_format }: SpeechFields,
  {
    request: { voice_id, language },
    signer,
    catalogue,
  }: Pick<SpeechDependencies, 'signer' | 'catalogue'> & { request: SpeechInput },
  call: CreateSpeechCall,
): Promise<Response> {
  const { closing, signal } = call;
  const mark = signer && { voice: spoken.voiceFallback ?? voice_id, language, signer };
  const { mime, encode } = formats[response_format];
  const headers = { 'content-type': mime, 'x-content-type-options': 'nosniff', ...voiceHeaders(spoken) };
  const isSent = () => call.outgoing.headersSent;
  if (stream_format === 'sse') {
    const parts = encode(chargedPieces(spoken, isSent), { isWhole: false, mark, closing, signal });
    return eventReply(parts, () => usageOf(input, spoken.charge.seconds), headers, call);
  }
  const isInParts = response_format !== 'wav' && isNatural(catalogue.get(voice_id));
  if (stream && call.httpVersion !== '1.0' && (isInParts || !isOneSentence(input, language))) {
    return streamedReply(
      encode(chargedPieces(spoken, isSent), { isWhole: false, mark, closing, signal }),
      headers,
      call,
    );
  }
  const reply = await wholeReply(
    encode(countedPieces(spoken), { isWhole: true, mark, closing, signal }),
    headers,
  );
  spoken.charge.settle();
  return reply;
}

/** Reserves the credits of each piece. Takes none: the caller of a whole reply pays only for a complete one. */
async function* countedPieces({ pieces, charge }: SpokenSpeech): AsyncGenerator<SynthesizedAudio> {
  for await (const piece of pieces) {
    charge.add(piece.seconds);
    yield piece;
  }
}

/** A sentence of a natural voice arrives in parts. Programs that read a WAV rather wait for its length than for a stream. */
const isNatural = (voice: EngineVoice | undefined): boolean => voice !== undefined && isNaturalVoice(voice);

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
