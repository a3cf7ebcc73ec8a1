import type { operations, RequestOf, Voice } from '@herald-speech/client/interface';
import { modelNamed } from './model-name.js';

/** The filters of `GET /v1/voices/search`, without paging (docs/interface.md#voice-search). */
export type CatalogueFilters = Omit<
  RequestOf<typeof operations.searchVoices>,
  'page_size' | 'next_page_token'
>;

/**
 * Returns the voices that match all filters, in their natural order (docs/interface.md#voice-search). Within a filter, a comma
 * means "or". In `style`, a semicolon means "and".
 */
export function searchCatalogue(voices: readonly Voice[], filters: CatalogueFilters): Voice[] {
  const language = withoutUnknownRegions(voices, filters.language);
  return voices.filter(
    (voice) =>
      matchesSearch(voice.name, filters.name) &&
      startsWords(voice.description, filters.description) &&
      hasAny(languagesOf(voice), language) &&
      hasAny([voice.gender], filters.gender) &&
      hasAny([voice.age], filters.age) &&
      hasAny([voice.use_case], filters.use_case) &&
      hasAny(voice.use_cases, filters.use_cases) &&
      hasStyle(voice.styles, filters.style) &&
      hasModel(voice.models, filters.model),
  );
}

/** Returns the languages of a voice, and the one with its region, such as "en-GB". */
const languagesOf = ({ language, locale }: Voice): string[] => [
  ...language,
  ...(locale == null ? [] : [locale]),
];

/** Returns the languages of a filter. A region that no voice has falls back to its language. */
function withoutUnknownRegions(voices: readonly Voice[], filter: string | undefined): string | undefined {
  if (filter === undefined || !/[-_]/.test(filter)) return filter;
  const words = wordsOf(filter.replaceAll('_', '-'), ',');
  const isKnown = (word: string) => voices.some((voice) => has(languagesOf(voice), word));
  return words.map((word) => (isKnown(word) ? word : (word.split('-')[0] ?? word))).join(',');
}

/** Returns whether the text contains every word of the search, ignoring case and accents (docs/interface.md#voice-search). */
export function matchesSearch(text: string | null | undefined, search: string | undefined): boolean {
  const within = plain(text ?? '');
  const words = plain(search ?? '').split(/\s+/u);
  return words.every((word) => within.includes(word));
}

/** Scripts that write words without spaces, so that a search word can start anywhere. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/**
 * Returns whether each word of the search starts a word of the text, ignoring case and accents. So "male" does not find
 * "female". Console and editor have the same rules in `browser/voice-search.ts`, because a browser cannot load this module.
 */
export function startsWords(text: string | null | undefined, search: string | undefined): boolean {
  const words = partsOf(text ?? '');
  return partsOf(search ?? '').every((wanted) =>
    words.some((word) => word.startsWith(wanted) || (WITHOUT_SPACES.test(wanted) && word.includes(wanted))),
  );
}

const partsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns a text in lower case, without accents. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function hasAny(values: readonly string[], filter: string | undefined): boolean {
  const words = wordsOf(filter ?? '', ',');
  return words.length === 0 || words.some((word) => has(values, word));
}

function hasModel(models: readonly string[], filter: string | undefined): boolean {
  return filter === undefined || wordsOf(filter, ',').some((word) => models.includes(modelNamed(word)));
}

/** Returns whether a voice with these styles matches a filter (docs/interface.md#voice-search). */
export function hasStyle(styles: readonly string[], filter: string | undefined): boolean {
  if (filter?.includes(';') !== true) return hasAny(styles, filter);
  return wordsOf(filter, ';').every((word) => has(styles, word));
}

function has(values: readonly string[], word: string): boolean {
  return values.some((value) => value.toLowerCase() === word);
}

function wordsOf(filter: string, separator: string): string[] {
  return filter
    .split(separator)
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
}
