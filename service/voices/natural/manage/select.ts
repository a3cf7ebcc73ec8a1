import { startsWords } from '../../catalogue/search.js';
import { displayLanguage, namesOfLanguage } from './languages.js';
import type { ManagedVoice } from './managed-voice.js';
import { compareQualities } from '../../installed/quality.js';

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
    ...regionNames(region),
  ].join(' ');
}

/** Returns an empty list if the region is not the code of a country. Imported voices can have such regions. */
function regionNames(region: string): string[] {
  return /^[A-Z]{2}$/u.test(region) ? [countries.of(region) ?? region] : [];
}

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
