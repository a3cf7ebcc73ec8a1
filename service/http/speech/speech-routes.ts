import { abridged, DEFAULT_MODEL, models, operations } from '@herald-speech/client/interface';
import type { Charge } from '../../accounts/charge.js';
import { roundedSeconds } from '../../kit/units.js';
import { ServiceError } from '../../kit/errors.js';
import { begun } from '../../speech/begun.js';
import { predictSeconds } from '../../speech/predict.js';
import type { SpeechInput, Utterance } from '../../speech/speech-call.js';
import { type SpeechDependencies, startSpeech } from '../../speech/start-speech.js';
import { modelNamed } from '../../voices/catalogue/model-name.js';
import type { SynthesizedAudio } from '../../voices/workers/jobs.js';
import { answer, type Call, reply, type OperationRoute } from '../route.js';
import { type SpokenForm, streamedSpeechReply, wholeSpeechReply } from './spoken-reply.js';

/** Returns the routes that generate speech or predict its duration (docs/interface.md#speech). */
export function speechRoutes(dependencies: SpeechDependencies): OperationRoute[] {
  return [
    answer(operations.createSpeech, (request, call) =>
      charged(dependencies, { ...request, isWhole: true }, call, wholeSpeechReply),
    ),
    answer(operations.streamSpeech, async (request, call) => {
      checkStreams(request);
      return charged(dependencies, request, call, (pieces, form, charge) =>
        streamedSpeechReply(pieces, form, charge, call),
      );
    }),
    reply(operations.predictDuration, async (request, call) => ({
      duration: roundedSeconds(await predictSeconds(dependencies, request, call)),
    })),
  ];
}

/** Sends a reply with speech. Afterwards releases the part of the charge that `send` has not settled. */
async function charged(
  dependencies: SpeechDependencies,
  request: SpeechInput,
  call: Call,
  send: (pieces: AsyncIterable<SynthesizedAudio>, form: SpokenForm, charge: Charge) => Promise<Response>,
): Promise<Response> {
  const { charge, ...started } = await startSpeech(dependencies, request, call, 'native');
  const { output_format: format = 'wav', include_phonemes: phonemes = false, voice_id, language } = request;
  const { signer } = dependencies;
  try {
    const { pieces, voice } = await begun({ charge, ...started });
    const mark = signer && { voice: voice.voiceFallback ?? voice_id, language, signer };
    return await send(pieces, { format, phonemes, mark, voice }, charge);
  } finally {
    charge.release();
  }
}

/** @throws ServiceError 400 for a model that does not stream (docs/interface.md#models) */
function checkStreams({ model = DEFAULT_MODEL }: Utterance): void {
  if (models[modelNamed(model)]?.streams === true) return;
  const streaming = Object.keys(models).filter((name) => models[name]?.streams === true);
  throw new ServiceError(
    400,
    `model is ${abridged(model)}: expected a model that streams: ${streaming.join(', ')}`,
  );
}
