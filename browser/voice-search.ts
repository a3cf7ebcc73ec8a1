/** Searches voices by filters and by words in any order. */
import { type Facet, FACETS, type VoiceFilters, valuesOf, type Voice } from './voice.js';

/** Scripts that write words without spaces, so that a search word can start anywhere. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Converts a text to lower case and removes accents. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns the words of a text. */
const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether each search word is a word of the text, or the start of one. */
export function hasWords(text: string, search: string): boolean {
  const words = wordsOf(text);
  return wordsOf(search).every((wanted) =>
    words.some((word) => word.startsWith(wanted) || (WITHOUT_SPACES.test(wanted) && word.includes(wanted))),
  );
}

/** Returns the names of a value, in the language of the page and as the service writes it. */
export type NamesOf = (facet: Facet, value: string) => string;

/** Returns the text that a search looks through: name, identifier, description, and the names of all values. */
function searchedText(voice: Voice, namesOf: NamesOf): string {
  const values = FACETS.flatMap((facet) => valuesOf(voice, facet).map((value) => namesOf(facet, value)));
  return [voice.name, voice.voice_id, voice.description, ...values].join(' ');
}

/** Whether a voice matches every filter and the words of the text. A voice with unknown languages matches each language. */
export function matchesFilters(
  voice: Voice,
  { text = '', ...filters }: VoiceFilters,
  namesOf: NamesOf,
): boolean {
  const active = FACETS.filter((facet) => filters[facet]);
  return (
    hasWords(searchedText(voice, namesOf), text) &&
    active.every((facet) => {
      const values = valuesOf(voice, facet);
      const isUnknown = facet === 'language' && values.length === 0;
      return isUnknown || values.includes(filters[facet] ?? '');
    })
  );
}

/**
 * Converts the words of a text to filters of a service: a word that starts the name of a known value selects that value, the
 * other words search the voice's name.
 * @param known the known values of each facet
 */
export function filtersOf(
  { text = '', ...filters }: VoiceFilters,
  known: Readonly<Partial<Record<Facet, readonly string[]>>>,
  namesOf: NamesOf,
): VoiceFilters {
  const found: Partial<Record<Facet, string>> = {};
  const others = text.split(/\s+/).filter((word) => {
    const match = FACETS.flatMap((facet) =>
      (known[facet] ?? [])
        .filter((value) => hasWords(namesOf(facet, value), word))
        .map((value) => ({ facet, value })),
    )[0];
    if (match === undefined || word.length < MIN_PREFIX || filters[match.facet] || found[match.facet])
      return true;
    found[match.facet] = match.value;
    return false;
  });
  return { ...filters, ...found, text: others.join(' ') };
}

/** UTF-16 code units of a word that may select a filter. A shorter one can start too many values. */
const MIN_PREFIX = 3;
