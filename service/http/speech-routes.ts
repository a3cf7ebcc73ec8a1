import { operations, type RequestOf } from '@herald-speech/client/interface';
import { Charge } from '../accounts/charge.js';
import type { Ledger } from '../accounts/ledger.js';
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
import { choiceOf, toSpeechRequest } from '../voices/speak-request.js';
import type { SpeakJob } from '../workers/jobs.js';

type Spoken = RequestOf<typeof operations.createSpeech>;

interface SpeechParts {
  speech: Speech;
  samples: SampleFiles;
  ledger: Ledger;
  catalogue: Catalogue;
}

/** The one model that streams (docs/interface.md#models). */
const STREAMING_MODEL = 'main_speech_1';

/** Speech, charged and streamed, and its length beforehand, free (docs/interface.md#speech). */
export function speechRoutes(parts: SpeechParts): Route[] {
  const { speech, ledger } = parts;
  return [
    answer(operations.createSpeech, async (request, call) => {
      const { job, use } = await utteranceOf(parts, request, call);
      return charged(new Charge(ledger.credits, call.caller.account.id, use), async (charge) =>
        wholeReply(speech.speak(job, call.signal), formOf(request), charge),
      );
    }),
    answer(operations.streamSpeech, async (request, call) => {
      if (modelNamed(request.model ?? STREAMING_MODEL) !== STREAMING_MODEL) {
        throw new ServiceError(400, `model is "${request.model}": only ${STREAMING_MODEL} streams`);
      }
      const { job, use } = await utteranceOf(parts, request, call);
      return charged(new Charge(ledger.credits, call.caller.account.id, use), async (charge) =>
        streamedReply(speech.speak(job, call.signal), formOf(request), charge, call),
      );
    }),
    reply(operations.predictDuration, async (request, call) => {
      const { job } = await utteranceOf(parts, request, call);
      let duration = 0;
      for await (const { seconds } of speech.speak({ ...job, encoding: 'none' }, call.signal)) {
        duration += seconds;
      }
      return { duration: rounded(duration) };
    }),
  ];
}

/** What is not settled by the end of the request costs nothing. */
async function charged(charge: Charge, work: (charge: Charge) => Promise<Response>): Promise<Response> {
  try {
    return await work(charge);
  } finally {
    charge.release();
  }
}

function formOf({ output_format: format = 'wav', include_phonemes: phonemes = false }: Spoken): SpokenForm {
  return { format, phonemes };
}

/** The job of a request, and what goes into the usage report. @throws ServiceError 400, 404; AccountsError */
async function utteranceOf(parts: SpeechParts, { model, ...rest }: Spoken, { caller }: Call) {
  const request = { ...rest, ...(model !== undefined && { model: modelNamed(model) }) };
  const voice = voiceOf(parts, request, caller.account.id);
  const choice = choiceOf(voice, request);
  const job: Omit<SpeakJob, 'kind'> = {
    engine: voice.engine,
    request: toSpeechRequest(voice, request, choice),
    ...(voice.sample && { sample: await parts.samples.read(voice.sample) }),
    encoding: request.output_format === 'mp3' ? 'mp3' : 'pcm',
  };
  const { voice_id, name: voice_name } = voice;
  const use: Use = { api_key: caller.keyId, voice_id, voice_name, ...choice };
  return { job, use };
}

function voiceOf(
  { ledger: { customVoices }, catalogue }: SpeechParts,
  { voice_id: id, language }: Spoken,
  account: string,
): SpeakableVoice {
  const voice = catalogue.speakable(id) ?? speakable(customVoices.get(account, id), language, catalogue);
  if (voice !== undefined) return voice;
  throw new ServiceError(404, `the voice "${id}" was made for an engine that is not installed any more`);
}
