import { abridged } from '@herald-speech/client/interface';
import { ServiceError } from '../kit/errors.js';
import { isLanguageTag, type Locale, localeOf } from './locale.js';
import { type ChosenVoice, namedVoice, type VoiceDependencies, type VoiceQuery } from './named-voice.js';
import { byScript, languageOfText } from './text-language.js';

/** An entry of the setting that maps a voice of the OpenAI API, such as `alloy=de-anna`. */
const MAPPING = /^(?<name>[^=]+)=(?<voice>.+)$/;
/** The language in the id of a natural voice, such as `de_DE-thorsten-medium`. */
const LANGUAGE_OF_ID = /^[a-z]{2}(?=[-_])/;

/**
 * Returns the default voice of a language. Without a language, returns the first default voice of the settings, or the first voice of
 * the service: an installed natural voice, if there is any. A text in another script gets a voice of its script.
 * @param account identifier of the caller's account
 * @throws ServiceError 404 for a language that no voice speaks
 */
export function defaultVoice(
  dependencies: VoiceDependencies,
  { language: tag, text = '' }: VoiceQuery,
  account: string,
): ChosenVoice {
  const locale = localeOf(tag);
  if (locale === undefined) return voiceForText(dependencies, text, account);
  const voice = voiceIn(dependencies, locale, account);
  if (voice !== undefined) return voice;
  const rule = 'no voice speaks it. List the voices and use one of their languages';
  throw new ServiceError(404, `language ${abridged(locale.language)}: ${rule}`);
}

/**
 * Returns the default voice of a language that a client sent in place of a voice. Undefined if the text is not a language tag, and
 * for a language that no voice speaks.
 */
export function voiceOfLanguage(
  dependencies: VoiceDependencies,
  text: string,
  account: string,
): ChosenVoice | undefined {
  const locale = isLanguageTag(text) ? localeOf(text) : undefined;
  return locale && voiceIn(dependencies, locale, account);
}

/** Returns the default voices of the settings in their order. */
export function configuredVoices(dependencies: VoiceDependencies, account: string): ChosenVoice[] {
  const names = dependencies.defaultVoices.map((name) => name.trim()).filter((name) => !MAPPING.test(name));
  return names.flatMap((name) => configuredVoice(dependencies, name, account) ?? []);
}

/** Returns the voice to which the settings map a name of the OpenAI API. */
export function mappedVoice(
  dependencies: VoiceDependencies,
  alias: string,
  account: string,
): ChosenVoice | undefined {
  const pairs = dependencies.defaultVoices.map((entry) => MAPPING.exec(entry)?.groups);
  const voice = pairs.find((pair) => pair?.['name']?.trim().toLowerCase() === alias)?.['voice']?.trim();
  return voice === undefined ? undefined : configuredVoice(dependencies, voice, account);
}

/** Returns the entries of the setting whose voice is unknown now. */
export function unknownEntries(dependencies: VoiceDependencies, account: string): string[] {
  return dependencies.defaultVoices.filter((entry) => {
    const name = (MAPPING.exec(entry)?.groups?.['voice'] ?? entry).trim();
    const found = namedVoice(dependencies, { voice: name }, account);
    return (found ?? voiceInCatalogue(dependencies, isLanguageTag(name) ? name : '')) === undefined;
  });
}

/**
 * Returns the language of a text without a voice and a language.
 * @param usual the language of the voice that speaks unless the script of the text is another one
 */
export function languageForText(
  dependencies: VoiceDependencies,
  text: string,
  usual: string,
  account: string,
): string {
  const configured = configuredVoices(dependencies, account).map(({ language }) => language);
  const known = dependencies.catalogue.voices.flatMap(({ languages }) => languages);
  return languageOfText(text, { usual, spoken: [...configured, ...byScript(known)] });
}

function voiceForText(dependencies: VoiceDependencies, text: string, account: string): ChosenVoice {
  const [usual = voiceInCatalogue(dependencies)] = configuredVoices(dependencies, account);
  if (usual === undefined) throw new ServiceError(404, 'the service has no voice: install one');
  const language = languageForText(dependencies, text, usual.language, account);
  return (language === usual.language ? undefined : voiceIn(dependencies, { language }, account)) ?? usual;
}

/** A natural voice that was removed gives way to another voice of its language. */
function configuredVoice(
  dependencies: VoiceDependencies,
  name: string,
  account: string,
): ChosenVoice | undefined {
  const found = namedVoice(dependencies, { voice: name }, account);
  const tag = isLanguageTag(name) ? name : LANGUAGE_OF_ID.exec(name)?.[0];
  return found ?? (tag === undefined ? undefined : voiceInCatalogue(dependencies, tag));
}

/** Returns the default voice of the settings for a language, if possible with the region, or else the one of the catalogue. */
function voiceIn(
  dependencies: VoiceDependencies,
  { language, region }: Locale,
  account: string,
): ChosenVoice | undefined {
  const { catalogue } = dependencies;
  const configured = configuredVoices(dependencies, account).filter((voice) => voice.language === language);
  const isNear = ({ voice_id }: ChosenVoice) => localeOf(catalogue.get(voice_id)?.locale)?.region === region;
  const near = region === undefined ? undefined : configured.find(isNear);
  const tag = region === undefined ? language : `${language}-${region}`;
  return near ?? configured[0] ?? voiceInCatalogue(dependencies, tag);
}

/** @param tag a language, or undefined for the first voice */
function voiceInCatalogue({ catalogue }: VoiceDependencies, tag?: string): ChosenVoice | undefined {
  const locale = localeOf(tag);
  const [first] = catalogue.voices;
  const voice = tag === undefined ? first : locale && catalogue.defaultVoice(locale.language, locale.region);
  const language = locale?.language ?? voice?.languages[0];
  return voice === undefined || language === undefined ? undefined : { voice_id: voice.id, language };
}
