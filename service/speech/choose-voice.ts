import { ServiceError } from '../kit/errors.js';
import { unknownVoice } from '../kit/unknown-voice.js';
import { defaultVoice } from './default-voice.js';
import { type ChosenVoice, namedVoice, type VoiceDependencies, type VoiceQuery } from './named-voice.js';

/**
 * Chooses a voice for a front end that names voices loosely. A voice without the wished language speaks in its first
 * language. Without a voice, the default voice speaks.
 * @param account identifier of the caller's account
 * @throws ServiceError 404 for an unknown voice, and for a language that no voice speaks
 */
export function chooseVoice(dependencies: VoiceDependencies, wish: VoiceQuery, account: string): ChosenVoice {
  const voice = wish.voice?.trim() ?? '';
  if (voice === '') return defaultVoice(dependencies, wish, account);
  const found = namedVoice(dependencies, { ...wish, voice }, account);
  if (found !== undefined) return found;
  throw new ServiceError(404, unknownVoice(voice, 'voice'));
}
