import type { CustomVoices } from '../accounts/custom-voices.js';
import type { Catalogue, CatalogueVoice } from '../voices/catalogue/catalogue.js';
import { DEFAULT_LANGUAGE, primaryLanguage } from './locale.js';

/** A voice as a caller names it. All fields are optional, and a blank field counts as missing. */
export interface VoiceQuery {
  /** Id or name of a preset voice or of a custom voice of the account. */
  voice?: string | undefined;
  /** BCP 47, such as "de", "en-GB" or "en_GB". The region selects among equally good voices of the language. */
  language?: string | undefined;
  /** Speaker of a natural voice with several speakers, added to the voice. */
  speaker?: string | undefined;
  /** The text. Its script selects the voice of a request without a voice and a language. */
  text?: string | undefined;
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
  /** The setting `voice` (docs/service.md#default-voices). */
  defaultVoices: readonly string[];
}

/** UTF-16 code units of the longest name: a client without a key may send any. */
const MAX_NAME = 300;
/** A voice with one of its languages, such as `ID:de`. */
const WITH_LANGUAGE = /^(?<voice>.+):(?<language>[a-z]{2,3})$/;

/** Returns the name of a voice that speaks in another language than its first one. */
export const nameWithLanguage = (voice: string, language: string): string => `${voice}:${language}`;

/**
 * Finds a voice by its id, its name, or a name with a language. A voice without the wished language speaks in its first language.
 * @param account identifier of the account whose custom voices count
 * @returns undefined for an unknown voice
 */
export function namedVoice(
  dependencies: VoiceDependencies,
  { voice, language: tag, speaker }: VoiceQuery & { voice: string },
  account: string,
): ChosenVoice | undefined {
  if (voice.length > MAX_NAME) return undefined;
  return (
    voiceNamed(dependencies, voice, tag, speaker, account) ??
    withLanguage(dependencies, voice, speaker, account)
  );
}

/** Finds a voice by a name with a language. */
function withLanguage(
  dependencies: VoiceDependencies,
  voice: string,
  speaker: string | undefined,
  account: string,
): ChosenVoice | undefined {
  const { voice: name, language } = WITH_LANGUAGE.exec(voice)?.groups ?? {};
  return name === undefined ? undefined : voiceNamed(dependencies, name, language, speaker, account);
}

function voiceNamed(
  { catalogue, ledger }: VoiceDependencies,
  voice: string,
  tag: string | undefined,
  speaker: string | undefined,
  account: string,
): ChosenVoice | undefined {
  const language = primaryLanguage(tag);
  const preset = presetNamed(catalogue, voice, speaker?.trim() ?? '');
  if (preset !== undefined) return { voice_id: preset.id, language: spokenBy(preset, language) };
  const custom = ledger.customVoices.list(account).find((row) => isNamed(row.voice_id, row.name, voice));
  return custom && { voice_id: custom.voice_id, language: language ?? DEFAULT_LANGUAGE };
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
