import type { ReadableStream } from 'node:stream/web';
import { abridged, DEFAULT_MODEL, models, operations, type RequestOf } from '@herald-speech/client/interface';
import { Charge } from '../accounts/charge.js';
import type { Ledger } from '../accounts/ledger.js';
import type { UnrecordedUsage } from '../accounts/unrecorded-usage.js';
import type { Use } from '../accounts/usage-record.js';
import { rounded } from '../accounts/units.js';
import { speakable } from '../clones/clone.js';
import type { SampleFiles } from '../clones/sample-files.js';
import { answer, type Call, reply, type Route } from './route.js';
import { ServiceError } from '../errors.js';
import type { Speech } from '../workers/speech.js';
import { type SpokenForm, streamedReply, wholeReply } from './spoken-reply.js';
import type { Catalogue, SpeakableVoice } from '../voices/catalogue.js';
import { modelNamed } from '../voices/model-name.js';
import { choiceOf, toSynthesisRequest } from '../voices/speak-request.js';
import type { SpeakJob, SpokenPiece } from '../workers/jobs.js';

type Utterance = RequestOf<typeof operations.createSpeech>;

interface SpeechDependencies {
  speech: Speech;
  samples: SampleFiles;
  ledger: Ledger;
  catalogue: Catalogue;
  unrecorded: UnrecordedUsage;
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
      const { job } = await jobOf(dependencies, request, call);
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
  send: (pieces: ReadableStream<SpokenPiece>, form: SpokenForm, charge: Charge) => Promise<Response>,
): Promise<Response> {
  const { job, use, approximate } = await jobOf(dependencies, request, call);
  const { ledger, unrecorded } = dependencies;
  const charge = new Charge({ credits: ledger.credits, unrecorded }, call.caller.account, use);
  try {
    return await send(
      dependencies.speech.speak(job, call.signal),
      { ...formOf(request), approximate },
      charge,
    );
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

function formOf({
  output_format: format = 'wav',
  include_phonemes: phonemes = false,
}: Utterance): Omit<SpokenForm, 'approximate'> {
  return { format, phonemes };
}

/**
 * Returns the job for the worker, and the entry of the usage report.
 * @throws ServiceError 400 or 404; AccountsError `forbidden` or `not-found`
 */
async function jobOf(dependencies: SpeechDependencies, { model, ...rest }: Utterance, { caller }: Call) {
  const request = { ...rest, ...(model !== undefined && { model: modelNamed(model) }) };
  const voice = voiceOf(dependencies, request, caller.account.id);
  const choice = choiceOf(voice, request);
  const job: Omit<SpeakJob, 'kind'> = {
    engine: voice.engine,
    request: toSynthesisRequest(voice, request, choice),
    ...(voice.sample && { sample: await dependencies.samples.read(voice.sample) }),
    encoding: request.output_format === 'mp3' ? 'mp3' : 'pcm',
  };
  const { voice_id, name: voice_name, approximate = false } = voice;
  const use: Use = { api_key: caller.keyId, voice_id, voice_name, ...choice };
  return { job, use, approximate };
}

function voiceOf(
  { ledger: { customVoices }, catalogue }: SpeechDependencies,
  { voice_id: id, language }: Utterance,
  account: string,
): SpeakableVoice {
  const voice = catalogue.speakable(id) ?? speakable(customVoices.get(account, id), language, catalogue);
  if (voice !== undefined) return voice;
  throw new ServiceError(
    404,
    `voice_id ${abridged(id)}: its engine is missing. Install it, or use another voice`,
  );
}
