import {
  chooseVoice,
  type ChosenVoice,
  type VoiceDependencies,
  voiceOfLanguage,
  type VoiceQuery,
} from '../speech/choose-voice.js';

/** A name of `nameWithLanguage`. */
const WITH_LANGUAGE = /^(?<voice>.+):(?<language>[a-z]{2,3})$/;

/** Returns the name of a voice that speaks in another language than its first one. */
export const nameWithLanguage = (voice: string, language: string): string => `${voice}:${language}`;

function partsOf(name: string): Pick<VoiceQuery, 'voice' | 'language'> {
  return WITH_LANGUAGE.exec(name)?.groups ?? {};
}

/**
 * Chooses the voice of a request. Without a wish, the first voice of the catalogue speaks: an installed natural voice, if there
 * is any. The name of a voice may also be a language, because some clients send it there.
 * @throws ServiceError 404 for an unknown voice or language
 */
export function voiceFor(
  dependencies: VoiceDependencies,
  { voice, ...rest }: VoiceQuery,
  account: string,
): ChosenVoice {
  const isId = voice === undefined || dependencies.catalogue.get(voice) !== undefined;
  const wish = { voice, ...rest, ...(isId ? {} : partsOf(voice)) };
  const [language] = dependencies.catalogue.voices[0]?.languages ?? [];
  if (!wish.voice && !wish.language) return chooseVoice(dependencies, { language }, account);
  try {
    return chooseVoice(dependencies, wish, account);
  } catch (error) {
    const spoken = wish.voice === undefined ? undefined : voiceOfLanguage(dependencies, wish.voice);
    if (spoken === undefined) throw error;
    return spoken;
  }
}
