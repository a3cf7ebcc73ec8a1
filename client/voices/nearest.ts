import { SpeechError } from '../base/errors.js';
import { text } from '../base/messages.js';
import {
  automaticVoice,
  type CompleteChoice,
  FALLBACK_LANGUAGE,
  isUsualLanguage,
  type Lookup,
  type SpeechDefaults,
  type VoiceChoice,
} from './complete.js';
import { genderOf, languageOf, speaks, styleAndModel, type VoiceFacts } from './voice-facts.js';
import type { LookupOptions, VoiceLookup } from './voice-lookup.js';

/** The voice that a text should have at another service. */
export interface VoiceWish {
  voice_id?: string | undefined;
  language: string;
  /** Undefined if the gender is unknown: any gender fits. */
  gender?: string | undefined;
  style?: string | undefined;
}

/**
 * Returns the wish behind a voice choice, without a request: the service may be dead. A voice that the service has not
 * described since the start of the process has an unknown gender.
 */
export function wishOf(
  lookup: Pick<VoiceLookup, 'known' | 'knownFirst' | 'serverVoice'>,
  given: VoiceChoice,
  defaults: SpeechDefaults,
): VoiceWish {
  // The interface has no regions.
  const wanted = given.language?.slice(0, 2);
  const preferred = wanted ?? defaults.language?.slice(0, 2) ?? FALLBACK_LANGUAGE;
  const named = given.voice_id ?? usableDefault(lookup, { language: wanted }, defaults);
  // Nothing is known of the default voice of a service.
  const isServerVoice = lookup.serverVoice !== undefined && isUsualLanguage(wanted, defaults);
  const first = isServerVoice ? undefined : lookup.knownFirst(preferred);
  const voice = named === undefined ? first : lookup.known(named);
  const language = wanted ?? languageOf(voice, preferred);
  return { voice_id: named ?? voice?.voice_id, language, gender: genderOf(voice), style: given.style };
}

/** Returns the default voice unless it is known to lack the language of the request. */
function usableDefault(
  lookup: Pick<VoiceLookup, 'known'>,
  { language }: VoiceChoice,
  { voice_id }: SpeechDefaults,
): string | undefined {
  if (voice_id === undefined || language === undefined) return voice_id;
  const voice = lookup.known(voice_id);
  return voice === undefined || speaks(voice, language) ? voice_id : undefined;
}

/**
 * Returns the voice of a service that is nearest to a wish. In this order: the same voice; the account's default voice if it
 * fits; the first voice of language and gender; the voice that `automaticVoice` chooses; a default voice that the service does not
 * describe. A natural voice that is fast enough for live announcements comes before simple voices, a slow one after them. The style remains if the voice has it. The model is one of the voice, because the wished model belongs to another
 * service.
 * @throws SpeechError `bad-request` if the service has no voice of the language, or the failure of a lookup
 */
export async function nearestVoice(
  lookup: Lookup,
  wish: VoiceWish,
  defaults: SpeechDefaults,
  options: Omit<LookupOptions, 'isNeeded'>,
): Promise<CompleteChoice> {
  const needed = { ...options, isNeeded: true };
  const voice = await find(lookup, wish, defaults, needed);
  const { language } = wish;
  if (voice === undefined) {
    const { voice_id } = defaults;
    // The user may know a voice that the service does not describe.
    if (voice_id !== undefined && (await lookup.voice(voice_id, needed)) === undefined)
      return { voice_id, language };
    throw new SpeechError('bad-request', text('no-voice', { language: { languages: [language] } }));
  }
  const style = voice.styles?.find((name) => name === wish.style);
  return { voice_id: voice.voice_id, language, ...styleAndModel(voice, { language, style }) };
}

async function find(
  lookup: Lookup,
  { voice_id, language, gender }: VoiceWish,
  defaults: SpeechDefaults,
  options: LookupOptions,
): Promise<VoiceFacts | undefined> {
  const described = async (id: string | undefined) => {
    const voice = id === undefined ? undefined : await lookup.voice(id, options);
    return voice !== undefined && speaks(voice, language) ? voice : undefined;
  };
  const same = await described(voice_id);
  if (same !== undefined) return same;
  const usual = await described(defaults.voice_id);
  const fits = gender === undefined || (genderOf(usual) ?? gender) === gender;
  if (usual !== undefined && fits) return usual;
  const alike = gender === undefined ? undefined : await lookup.first(language, options, gender);
  return alike ?? usual ?? automaticVoice(lookup, language, isUsualLanguage(language, defaults), options);
}
