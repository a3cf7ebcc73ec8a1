import { abridged, DEFAULT_MODEL, models, operations, type RequestOf } from '@herald-speech/client/interface';
import { Charge } from '../../accounts/charge.js';
import type { Ledger } from '../../accounts/ledger.js';
import type { UnrecordedUsage } from '../../accounts/unrecorded-usage.js';
import { rounded } from '../../accounts/units.js';
import { answer, type Call, reply, type Route } from '../route.js';
import { ServiceError } from '../../errors.js';
import type { Speech } from '../../workers/speech.js';
import { orRemoved } from './removed-voice.js';
import { type SpeechWork, simpleWorkOf, type WorkDependencies, workOf } from './speech-work.js';
import { startedInTime } from './started-in-time.js';
import { type SpokenForm, streamedReply, wholeReply } from './spoken-reply.js';
import { modelNamed } from '../../voices/model-name.js';
import type { SpokenPiece } from '../../workers/jobs.js';

type Utterance = RequestOf<typeof operations.createSpeech>;

interface SpeechDependencies extends WorkDependencies {
  speech: Speech;
  ledger: Ledger;
  unrecorded: UnrecordedUsage;
  /** Milliseconds to the first audio of a natural voice, then a simple voice speaks. 0 means no limit. */
  simpleVoiceAfter: number;
}

/** Returns the routes that generate speech or predict its duration (docs/interface.md#speech). */
export function speechRoutes(dependencies: SpeechDependencies): Route[] {
  return [
    answer(operations.createSpeech, (request, call) => charged(dependencies, request, call, wholeReply)),
    answer(operations.streamSpeech, async (request, call) => {
      checkStreams(request);
      return charged(dependencies, request, call, (pieces, form, charge) =>
        streamedReply(pieces, form, charge, call),
      );
    }),
    reply(operations.predictDuration, async (request, call) => {
      const { job } = await workOf(dependencies, request, call);
      let duration = 0;
      for await (const { seconds } of dependencies.speech.speak({ ...job, encoding: 'none' }, call.signal)) {
        duration += seconds;
      }
      return { duration: rounded(duration) };
    }),
  ];
}

/** Sends a reply with speech. Afterwards releases the part of the charge that `send` has not settled. */
async function charged(
  dependencies: SpeechDependencies,
  request: Utterance,
  call: Call,
  send: (pieces: AsyncIterable<SpokenPiece>, form: SpokenForm, charge: Charge) => Promise<Response>,
): Promise<Response> {
  const { ledger, unrecorded, speech, catalogue, simpleVoiceAfter } = dependencies;
  const wanted = await workOf(dependencies, request, call);
  const charge = new Charge({ credits: ledger.credits, unrecorded }, call.caller.account, wanted.use);
  const simple = simpleVoiceAfter > 0 ? simpleWorkOf(dependencies, wanted, request, call) : undefined;
  const start = ({ job }: SpeechWork) => speech.speak(job, call.signal);
  try {
    const { pieces, by } = await startedInTime(start, wanted, simple, simpleVoiceAfter);
    charge.use = by.use;
    return await send(pieces, formOf(request, by), charge);
  } catch (error) {
    throw await orRemoved(error, wanted, catalogue);
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

function formOf(
  { output_format: format = 'wav', include_phonemes: phonemes = false }: Utterance,
  { approximate, voiceFallback }: SpeechWork,
): SpokenForm {
  return { format, phonemes, approximate, voiceFallback };
}
