/** The sound of a row: a sample of the service, or a sentence of a custom voice, which has no sample. */
import {
  bestSample,
  type Combination,
  TRIAL_LANGUAGE,
  type Fields,
  trialText,
  type Voice,
} from '@herald-speech/browser';
import { callRuntime, type Target } from '../lib/runtime.js';

/** Returns the combination that a row plays first; undefined for a preset voice without a sample. */
export function firstSound(voice: Voice, chosen: Readonly<Partial<Combination>>): Combination | undefined {
  const spoken = voice.own ? { language: chosen.language ?? '', style: '', model: '' } : undefined;
  return bestSample(voice, chosen) ?? spoken;
}

/** Whether the sound is a sentence that a hosted service charges. */
export const isCharged = (voice: Voice, { typed }: Target): boolean =>
  voice.samples.length === 0 && typed['service'] === 'hosted';

/** Requests the sound. A custom voice speaks the language of the form, or else of the account. @throws RuntimeError */
export function soundOf(voice: Voice, sound: Combination, target: Target): Promise<Fields> {
  const { voice_id, samples } = voice;
  if (samples.length > 0) return callRuntime('sample', { ...target, voice_id, ...sound });
  const sentence = trialText(sound.language || target.typed['language'] || TRIAL_LANGUAGE);
  return callRuntime('speak', { ...target, request: { voice_id, ...sentence } });
}
