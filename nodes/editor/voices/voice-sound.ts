/** The sound of a row: a sample of the service, or a sentence of a custom voice, which has no sample. */
import {
  bestSample,
  type Combination,
  TRIAL_LANGUAGE,
  type Fields,
  languageFor,
  trialText,
  type Voice,
} from '@herald-speech/browser';
import { callRuntime, type Target } from '../lib/runtime.js';
import { serviceFacts } from '../lib/services.js';

/**
 * Returns the combination that a row plays first. A custom voice, and a voice of a free service, speaks a sentence. Undefined for
 * another voice without a sample: the sentence may cost.
 */
export function firstSound(
  voice: Voice,
  chosen: Readonly<Partial<Combination>>,
  target: Target,
): Combination | undefined {
  const { isRemote, isFree } = serviceFacts(target.typed['service']);
  const speaks = voice.own || (isRemote && isFree);
  const language = voice.own ? (chosen.language ?? '') : languageFor(voice, chosen.language ?? '');
  return bestSample(voice, chosen) ?? (speaks ? { language, style: '', model: '' } : undefined);
}

/** Whether a list offers no sounds, because the service has no samples and may charge a sentence. */
export const lacksSounds = (voices: readonly Voice[], target: Target): boolean =>
  voices.length > 0 && voices.every((voice) => firstSound(voice, {}, target) === undefined);

/** Whether the sound is a sentence that the service charges. */
export const isCharged = (voice: Voice, { typed }: Target): boolean =>
  voice.samples.length === 0 && !serviceFacts(typed['service']).isFree;

/** Requests the sound. A custom voice speaks the language of the form, or else of the account. @throws RuntimeError */
export function soundOf(voice: Voice, sound: Combination, target: Target): Promise<Fields> {
  const { voice_id, samples } = voice;
  if (samples.length > 0) return callRuntime('sample', { ...target, voice_id, ...sound });
  const sentence = trialText(sound.language || target.typed['language'] || TRIAL_LANGUAGE);
  return callRuntime('speak', { ...target, request: { voice_id, ...sentence } });
}
