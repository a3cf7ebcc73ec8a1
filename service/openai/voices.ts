import { abridged } from '@herald-speech/client/interface';
import { ServiceError } from '../kit/errors.js';
import { chooseVoice } from '../speech/choose-voice.js';
import { configuredVoices, languageForText, mappedVoice, voiceOfLanguage } from '../speech/default-voice.js';
import { DEFAULT_LANGUAGE, primaryLanguage } from '../speech/locale.js';
import type { ChosenVoice, VoiceDependencies } from '../speech/named-voice.js';
import type { Catalogue, CatalogueVoice } from '../voices/catalogue/catalogue.js';
import { OpenAiError } from './api-error.js';

/** The voices of the OpenAI API, with the gender of their local voices. Their order selects the local voices. */
const aliases = {
  alloy: 'female',
  ash: 'male',
  ballad: 'male',
  cedar: 'male',
  coral: 'female',
  fable: 'male',
  echo: 'male',
  marin: 'female',
  nova: 'female',
  onyx: 'male',
  sage: 'female',
  shimmer: 'female',
  verse: 'male',
} as const;

type Alias = keyof typeof aliases;
const aliasNames = Object.keys(aliases).filter(isAlias);

/** Semitones of the names that share a voice, because a language has fewer voices than the API has names. */
const SHIFTS = [0, -2, 2, -4, 4, -1, 1] as const;

/** The voice with the sound of a telephone. No name of the API stands for it. */
const TELEPHONE_VOICE = 'kal';

/** A local voice in place of a voice of the request. */
export interface LocalVoice extends ChosenVoice {
  /** Semitones. */
  pitchShift: number;
}

/** The fields of a request that decide its voice. */
interface VoiceFields {
  /** Blank for the default voice. */
  voice: string;
  language?: string | undefined;
  /** The text of the request. */
  text?: string | undefined;
}

/**
 * Finds the local voice of a request: a name of the OpenAI API, the id or the name of a local voice, the id of a custom voice,
 * or a language such as "de".
 * @param account identifier of the caller's account
 * @throws OpenAiError 400 for an unknown voice, and for a language that no voice or the given voice does not speak
 */
export function localVoice(
  dependencies: VoiceDependencies,
  fields: VoiceFields,
  account: string,
): LocalVoice {
  const { voice, language } = fields;
  const name = voice.trim().toLowerCase();
  const found = isAlias(name) ? voiceOfAlias(dependencies, name, fields, account) : undefined;
  if (found !== undefined) return found;
  try {
    const chosen = chooseVoice(dependencies, isAlias(name) ? { language } : fields, account);
    checkLanguage(dependencies, chosen, language);
    return { ...chosen, pitchShift: 0 };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const spoken = language === undefined ? voiceOfLanguage(dependencies, voice, account) : undefined;
    if (spoken) return { ...spoken, pitchShift: 0 };
    throw isAlias(name) ? invalid('language', error) : invalid('voice', unknown(voice, error));
  }
}

/** Returns the voice of the settings for the name, unless the text needs another language. Then the names share the voices. */
function voiceOfAlias(
  dependencies: VoiceDependencies,
  alias: Alias,
  { language: wish, text = '' }: Pick<VoiceFields, 'language' | 'text'>,
  account: string,
): LocalVoice | undefined {
  const mapped = mappedVoice(dependencies, alias, account);
  const [usual = { language: DEFAULT_LANGUAGE }] = [
    ...(mapped ? [mapped] : []),
    ...configuredVoices(dependencies, account),
  ];
  const language = primaryLanguage(wish) ?? languageForText(dependencies, text, usual.language, account);
  if (mapped?.language === language) return { ...mapped, pitchShift: 0 };
  return aliased(dependencies.catalogue, alias, language);
}

/** @throws OpenAiError 400 if the voice speaks another language than the wished one */
function checkLanguage(
  { catalogue }: VoiceDependencies,
  { voice_id, language }: ChosenVoice,
  wish: string | undefined,
): void {
  if (wish === undefined || primaryLanguage(wish) === language) return;
  const languages = catalogue.get(voice_id)?.languages ?? [language];
  const rule = `the voice ${abridged(voice_id)} speaks only ${languages.join(', ')}`;
  const fix = 'Use another voice, or leave the language out';
  const message = `language ${abridged(wish)}: ${rule}. ${fix}`;
  throw new OpenAiError(400, 'invalid_request_error', message, { param: 'language', code: 'invalid_value' });
}

/** The names of one gender share the voices of this gender in turn, then the same voices with another pitch. */
function aliased(catalogue: Catalogue, alias: Alias, language: string): LocalVoice | undefined {
  const gender = aliases[alias];
  const speaking = catalogue.voices.filter(
    ({ id, age, languages }) => languages.includes(language) && id !== TELEPHONE_VOICE && age !== 'child',
  );
  const fitting = speaking.filter((voice) => voice.gender === gender);
  const voices = fitting.length > 0 ? fitting : speaking;
  const place = aliasNames.filter((name) => aliases[name] === gender).indexOf(alias);
  const voice = voices[place % voices.length];
  const pitchShift = SHIFTS[Math.floor(place / voices.length)] ?? 0;
  return voice && { voice_id: voice.id, language, pitchShift };
}

/** Returns the entries of GET /v1/audio/voices: the names of the OpenAI API, and all local voices. */
export function listedVoices(dependencies: VoiceDependencies, account: string) {
  const { catalogue, ledger } = dependencies;
  return [
    ...aliasNames.flatMap((alias) => {
      const local = voiceOfAlias(dependencies, alias, {}, account);
      const voice = local && catalogue.get(local.voice_id);
      return voice ? [{ ...entryOf(voice), id: alias, name: titled(alias), voice_id: voice.id }] : [];
    }),
    ...catalogue.voices.map(entryOf),
    ...ledger.customVoices.list(account).map(({ voice_id, name }) => ({ id: voice_id, name, voice_id })),
  ];
}

function entryOf({ id, name, gender, languages, locale }: CatalogueVoice) {
  const listed = [...languages, ...(locale === undefined ? [] : [locale])];
  return { id, name, voice_id: id, language: languages[0], languages: listed, gender };
}

const titled = (alias: string): string => alias.charAt(0).toUpperCase() + alias.slice(1);

function isAlias(name: string): name is Alias {
  return Object.hasOwn(aliases, name);
}

/** The error of a natural voice that is not installed explains its installation, and stays. */
function unknown(voice: string, cause: ServiceError): ServiceError {
  if (cause.message.includes('not installed')) return cause;
  const fix = `Use ${aliasNames.join(', ')}, or an id of GET /v1/audio/voices`;
  return new ServiceError(400, `voice ${JSON.stringify(voice.slice(0, 80))}: unknown voice. ${fix}`, {
    cause,
  });
}

function invalid(param: string, cause: ServiceError): OpenAiError {
  return new OpenAiError(400, 'invalid_request_error', cause.message, {
    param,
    code: 'invalid_value',
    cause,
  });
}
