import { voiceIdsOf } from '../../engines/neural/voices.js';
import type { InstallableVoice } from '../catalogue/catalogue.js';
import type { InstalledVoice } from '../../installed/installed-voice.js';
import { isLive, measurementOf } from '../../installed/measurements.js';
import { startsWords } from '../../catalogue/search.js';
import { compareQualities } from '../../installed/quality.js';
import type { ParsedModelCard } from '../catalogue/model-card.js';

/** A voice of the catalogue of natural voices, with its state on this computer. */
export interface ManagedVoice extends Omit<InstallableVoice, 'files'> {
  installed: null | {
    /** ISO 8601 time. */
    at: string;
    licence: string | null;
    realTimeFactor: number | null;
    isLive: boolean | null;
    memoryBytes: number | null;
    voiceIds: readonly string[];
  };
}

export interface ModelCardReply extends ParsedModelCard {
  /** Size of the voice's files. */
  bytes: number;
}

/** The result of a refresh. */
export interface RefreshResult {
  /** Number of voices in the new catalogue. */
  voices: number;
  /** Names of invalid entries, which are left out. */
  invalid: string[];
}

/** @param measurements the folder of the measurements */
export function installedStateOf(
  installed: InstalledVoice,
  measurements: string,
): NonNullable<ManagedVoice['installed']> {
  const { licence, installedAt: at } = installed.record;
  const figures = measurementOf(measurements, installed);
  return {
    at,
    licence,
    realTimeFactor: figures?.realTimeFactor ?? null,
    isLive: figures === undefined ? null : isLive(figures),
    memoryBytes: figures?.memoryBytes ?? null,
    voiceIds: voiceIdsOf(installed),
  };
}

export interface VoiceFilter {
  /** ISO 639-1, in any case; also with a region, such as `en-GB` or `en_GB`. */
  language?: string;
  /** Words that start words of the voice: name, title, quality, gender, region or language. */
  search?: string;
}

/** Returns the voices that match the filter, by language, quality and title. */
export function selectVoices(
  voices: readonly ManagedVoice[],
  { language, search }: VoiceFilter,
): ManagedVoice[] {
  const [code, region] = language?.split(/[-_]/u) ?? [];
  return voices
    .filter((voice) => code === undefined || voice.language === code.toLowerCase())
    .filter((voice) => region === undefined || voice.region === region.toUpperCase())
    .filter((voice) => startsWords(wordsOf(voice), search))
    .toSorted(compare);
}

function wordsOf({ name, title, language, region, gender }: ManagedVoice): string {
  return [
    name.replaceAll(/[-_]/gu, ' '),
    title,
    region,
    gender,
    ...namesOfLanguage(language),
    displayRegion(region),
  ].join(' ');
}

/** The names of a language for a search: code, name in English, and name in the language. */
export function namesOfLanguage(code: string): string[] {
  return [code, displayLanguage(code, 'en'), displayLanguage(code, code)];
}

/**
 * Returns the name of a language.
 * @param code ISO 639-1
 * @param locale language of the name
 */
export function displayLanguage(code: string, locale = 'en'): string {
  return new Intl.DisplayNames([locale], { type: 'language' }).of(code) ?? code;
}

/** Returns the name of a country in English; undefined if the region is not its code. Imported voices can have such regions. */
export const displayRegion = (region: string): string | undefined =>
  /^[A-Z]{2}$/u.test(region) ? (countries.of(region) ?? region) : undefined;

const countries = new Intl.DisplayNames('en', { type: 'region' });

function compare(a: ManagedVoice, b: ManagedVoice): number {
  return (
    displayLanguage(a.language).localeCompare(displayLanguage(b.language)) ||
    compareQualities(a.quality, b.quality) ||
    Math.sign(a.speakers - 1) - Math.sign(b.speakers - 1) ||
    a.title.localeCompare(b.title) ||
    a.name.localeCompare(b.name)
  );
}
