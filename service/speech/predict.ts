import type { Caller } from '../accounts/keys.js';
import type { SpeechSynthesis } from '../voices/workers/speech.js';
import { isNaturalVoice } from '../voices/catalogue/preset-voice.js';
import { configuredVoices } from './default-voice.js';
import type { VoiceDependencies } from './named-voice.js';
import type { SpeechCall, Utterance } from './speech-call.js';
import { type WorkDependencies, workOf } from './speech-work.js';

/** The objects that a prediction uses. */
export interface PredictDependencies extends WorkDependencies {
  speech: SpeechSynthesis;
}

/**
 * Predicts the duration of a text in seconds. Starts the engine of the voice, and loads the model of a natural voice.
 * @throws ServiceError 400 or 404; AccountsError `forbidden` or `not-found`; WorkerError
 */
export async function predictSeconds(
  dependencies: PredictDependencies,
  request: Utterance,
  call: SpeechCall,
): Promise<number> {
  const { job } = await workOf(dependencies, request, call);
  let duration = 0;
  for await (const { seconds } of dependencies.speech.speak({ ...job, encoding: 'none' }, call.signal))
    duration += seconds;
  return duration;
}

/** A text that each voice can speak. */
const TEXT = '1';

/** Loads the natural voices in the setting `voice`. A failure has no effect: the first request fails with the same error. */
export async function warmUpDefaults(
  dependencies: PredictDependencies & VoiceDependencies,
  caller: Caller,
  signal: AbortSignal,
): Promise<void> {
  const call = { caller, signal };
  for (const { voice_id, language } of configuredVoices(dependencies, caller.account.id)) {
    const voice = dependencies.catalogue.get(voice_id);
    if (voice !== undefined && isNaturalVoice(voice))
      await predictSeconds(dependencies, { voice_id, language, text: TEXT }, call).catch(() => undefined);
  }
}
