import { abridged } from '@herald-speech/client/interface';
import type { AccountLedger } from '../accounts/ledger.js';
import type { Use } from '../accounts/usage-record.js';
import { speakable } from '../voices/clones/clone.js';
import type { SampleFiles } from '../accounts/sample-files.js';
import { ServiceError } from '../kit/errors.js';
import type { Catalogue, SpeakableVoice } from '../voices/catalogue/catalogue.js';
import { modelNamed } from '../voices/catalogue/model-name.js';
import { isNaturalVoice } from '../voices/catalogue/preset-voice.js';
import { combinationOf, toSynthesisRequest } from '../voices/catalogue/speak-request.js';
import type { SpeakJob } from '../voices/workers/jobs.js';
import type { SpeechCall, SpeechInput } from './speech-call.js';

export interface WorkDependencies {
  samples: SampleFiles;
  ledger: Pick<AccountLedger, 'customVoices'>;
  catalogue: Catalogue;
}

/** A speech request for a worker. */
export interface SpeechWork {
  job: Omit<SpeakJob, 'kind'>;
  /** The entry of the usage report. */
  use: Use;
  /** Whether the voice only approximates the sample of a custom voice. */
  approximate: boolean;
  /** Id of the simple voice that speaks in place of the requested voice. */
  voiceFallback?: string;
}

/**
 * Returns the job of the requested voice.
 * @throws ServiceError 400 or 404; AccountsError `forbidden` or `not-found`
 */
export async function workOf(
  dependencies: WorkDependencies,
  request: SpeechInput,
  call: SpeechCall,
): Promise<SpeechWork> {
  const voice = voiceOf(dependencies, request, call.caller.account.id);
  const work = workWith(voice, request, call);
  if (voice.sample === undefined) return work;
  const sample = await dependencies.samples.read(voice.sample);
  return { ...work, job: { ...work.job, sample } };
}

/**
 * Returns the same request with the simple voice of the language, at the sample rate of the natural voice, so that a client can
 * join the pieces of a text. Undefined if the requested voice is not a natural one, or no simple voice speaks the language.
 */
export function simpleWorkOf(
  { catalogue }: Pick<WorkDependencies, 'catalogue'>,
  { job }: SpeechWork,
  request: SpeechInput,
  call: SpeechCall,
): SpeechWork | undefined {
  const natural = catalogue.get(job.request.voice);
  if (natural?.engine !== job.engine || !isNaturalVoice(natural)) return undefined;
  const simple = catalogue.simpleVoice(job.request.language, natural.gender);
  const voice = simple && catalogue.speakable(simple.id);
  if (voice === undefined) return undefined;
  const work = workWith(voice, request, call);
  const { sampleRate = natural.sampleRate } = request;
  return {
    ...work,
    job: { ...work.job, ...(sampleRate !== undefined && { sampleRate }) },
    voiceFallback: voice.voice_id,
  };
}

function workWith(
  voice: SpeakableVoice,
  { model, ...rest }: SpeechInput,
  { caller }: SpeechCall,
): SpeechWork {
  const request = { ...rest, ...(model !== undefined && { model: modelNamed(model) }) };
  const combination = combinationOf(voice, request);
  const { voice_id, name: voice_name, approximate = false } = voice;
  return {
    job: {
      engine: voice.engine,
      request: toSynthesisRequest(voice, request, combination),
      encoding: request.output_format === 'mp3' ? 'mp3' : 'pcm',
      ...(request.sampleRate !== undefined && { sampleRate: request.sampleRate }),
    },
    use: { api_key: caller.keyId, voice_id, voice_name, ...combination },
    approximate,
  };
}

function voiceOf(
  { ledger: { customVoices }, catalogue }: WorkDependencies,
  { voice_id: id, language }: SpeechInput,
  account: string,
): SpeakableVoice {
  const voice = catalogue.speakable(id) ?? speakable(customVoices.get(account, id), language, catalogue);
  if (voice !== undefined) return voice;
  throw new ServiceError(
    404,
    `voice_id ${abridged(id)}: its engine is missing. Install it, or use another voice`,
  );
}
