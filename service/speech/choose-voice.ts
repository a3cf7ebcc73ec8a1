import { abridged } from '@herald-speech/client/interface';
import type { CustomVoices } from '../accounts/custom-voices.js';
import { ServiceError } from '../kit/errors.js';
import type { Catalogue, CatalogueVoice } from '../voices/catalogue/catalogue.js';
import { unknownVoice } from '../kit/unknown-voice.js';

/** A voice as a caller names it. All fields are optional, and a blank field counts as missing. */
export interface VoiceQuery {
  /** Id or name of a preset voice or of a custom voice of the account. */
  voice?: string | undefined;
  /** BCP 47, such as "de", "de-DE" or "de_DE". Only the language counts. */
  language?: string | undefined;
  /** Speaker of a natural voice with several speakers, added to the voice. */
  speaker?: string | undefined;
}

export interface ChosenVoice {
  voice_id: string;
  /** ISO 639-1. */
  language: string;
}

/** The voices of the service and of its accounts. */
export interface VoiceDependencies {
  catalogue: Catalogue;
  ledger: { customVoices: Pick<CustomVoices, 'list'> };
}

/** Language, script and region, such as "de", "pt_BR" or "zh-Hans-CN". The id of a voice may start in the same way. */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:[-_](?:cyrl|hans|hant|latn))?(?:[-_](?:[a-z]{2}|\d{3}))?$/i;

/** The language of a request that names neither a voice nor a language. */
export const DEFAULT_LANGUAGE = 'en';

/**
 * Chooses a voice for a front end that names voices loosely. A voice without the wished language speaks in its first
 * language. Without a voice, the default voice of the language speaks: an installed natural voice first.
 * @param account identifier of the caller's account
 * @throws ServiceError 404 for an unknown voice, and for a language that no voice speaks
 */
export function chooseVoice(
  { catalogue, ledger }: VoiceDependencies,
  wish: VoiceQuery,
  account: string,
): ChosenVoice {
  const language = primaryLanguage(wish.language);
  const voice = wish.voice?.trim() ?? '';
  if (voice === '') return defaultVoice(catalogue, language);
  const preset = presetNamed(catalogue, voice, wish.speaker?.trim() ?? '');
  if (preset !== undefined) return { voice_id: preset.id, language: spokenBy(preset, language) };
  const custom = ledger.customVoices.list(account).find((row) => isNamed(row.voice_id, row.name, voice));
  if (custom === undefined) throw new ServiceError(404, unknownVoice(voice, 'voice'));
  return { voice_id: custom.voice_id, language: language ?? DEFAULT_LANGUAGE };
}

/**
 * Returns the default voice of a language that a client sent in place of a voice. Undefined if the text is not a language tag, and
 * for a language that no voice speaks.
 */
export function voiceOfLanguage(
  { catalogue }: Pick<VoiceDependencies, 'catalogue'>,
  text: string,
): ChosenVoice | undefined {
  const language = LANGUAGE_TAG.test(text.trim()) ? primaryLanguage(text) : undefined;
  const voice = language === undefined ? undefined : catalogue.defaultVoice(language);
  return language === undefined || voice === undefined ? undefined : { voice_id: voice.id, language };
}

/** Returns the language of a tag, such as "de" for "de-AT". Undefined for a blank text. */
export function primaryLanguage(tag: string | undefined): string | undefined {
  const language = tag?.trim().split(/[-_]/)[0]?.toLowerCase();
  return language === '' ? undefined : language;
}

function defaultVoice(catalogue: Catalogue, language = DEFAULT_LANGUAGE): ChosenVoice {
  const voice = catalogue.defaultVoice(language);
  if (voice !== undefined) return { voice_id: voice.id, language };
  const rule = 'no voice speaks it. List the voices and use one of their languages';
  throw new ServiceError(404, `language ${abridged(language)}: ${rule}`);
}

/** An id has priority over a name. */
function presetNamed(catalogue: Catalogue, voice: string, speaker: string): CatalogueVoice | undefined {
  const ids = speaker === '' ? [voice] : [`${voice}-${speaker}`, speaker, voice];
  const byId = ids.map((id) => catalogue.get(id)).find((found) => found !== undefined);
  return byId ?? catalogue.voices.find(({ id, name }) => isNamed(id, name, voice));
}

const isNamed = (id: string, name: string, wish: string) =>
  [id, name].some((known) => known.toLowerCase() === wish.toLowerCase());

function spokenBy({ languages }: CatalogueVoice, wish: string | undefined): string {
  const isSpoken = wish !== undefined && languages.includes(wish);
  return isSpoken ? wish : (languages[0] ?? DEFAULT_LANGUAGE);
}
