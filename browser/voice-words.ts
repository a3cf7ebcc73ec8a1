/** The words of voices in the languages of Herald. */
import { languageNameIn } from './languages.js';
import de from './locales/de.json';
import en from './locales/en.json';
import es from './locales/es.json';
import ja from './locales/ja.json';
import ko from './locales/ko.json';
import type { NamesOf } from './voice-search.js';
import type { Facet } from './voice.js';

/** A missing word fails the type check. */
const words: Readonly<Record<'en' | 'de' | 'es' | 'ja' | 'ko', typeof en>> = { en, de, es, ja, ko };
export type WordLanguage = keyof typeof words;

const isLanguage = (code: string): code is WordLanguage => Object.hasOwn(words, code);

/** Returns the words in the language of a locale such as `de-AT`, or in English. */
export function wordsFor(locale: string): typeof en {
  const code = locale.slice(0, 2).toLowerCase();
  return words[isLanguage(code) ? code : 'en'];
}

/** Returns a text with its values in place of `__name__`. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/__(\w+?)__/g, (_, name: string) => values[name] ?? '');

/** Returns the name of a word of the interface (docs/interface.md#voice). A service may use further words, which stay. */
export function wordName(group: 'values' | 'also' | 'quality', word: string, locale: string): string {
  return Object.entries(wordsFor(locale)[group]).find(([name]) => name === word)?.[1] ?? word;
}

/** Returns the name of a value of a voice. */
export function valueNameIn(facet: Facet, value: string, locale: string): string {
  if (facet === 'language') return languageNameIn(value, locale);
  return facet === 'model' ? value : wordName('values', value, locale);
}

/** Returns all names of a value for a search: its word, its name and synonyms, and for a language also the English name. */
export const searchNames =
  (locale: string): NamesOf =>
  (facet, value) => {
    const others = facet === 'language' ? languageNameIn(value, 'en') : wordName('also', value, locale);
    return [value, valueNameIn(facet, value, locale), others].join(' ');
  };
