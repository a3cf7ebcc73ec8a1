import { chooseVoice } from '../speech/choose-voice.js';
import { voiceOfLanguage } from '../speech/default-voice.js';
import type { ChosenVoice, VoiceDependencies, VoiceQuery } from '../speech/named-voice.js';

/**
 * Chooses the voice of a request. The name of a voice may also be a language, because some clients send it there.
 * @throws ServiceError 404 for an unknown voice or language
 */
export function voiceFor(dependencies: VoiceDependencies, wish: VoiceQuery, account: string): ChosenVoice {
  try {
    return chooseVoice(dependencies, wish, account);
  } catch (error) {
    const spoken = wish.voice === undefined ? undefined : voiceOfLanguage(dependencies, wish.voice, account);
    if (spoken === undefined) throw error;
    return spoken;
  }
}
