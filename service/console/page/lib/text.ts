/** The texts of the page, in a language of the browser or in the language that the user has chosen. */
import { browserLanguages, element, type WordLanguage } from '@herald-speech/browser';
import de from '../locales/de.json';
import en from '../locales/en.json';
import es from '../locales/es.json';
import ja from '../locales/ja.json';
import ko from '../locales/ko.json';

/** A text for a number, by the plural categories of the language. */
interface Plural {
  readonly one?: string;
  readonly other: string;
}

export type Key = keyof typeof en;
type Catalogue = { readonly [Name in Key]: (typeof en)[Name] extends string ? string : Plural };

/** A missing text fails the type check. */
const catalogues: Readonly<Record<WordLanguage, Catalogue>> = { en, de, es, ja, ko };

/** The languages in the order of the list in the page. */
export const languages = Object.keys(catalogues).filter(isLanguage);

function isLanguage(code: string): code is WordLanguage {
  return Object.hasOwn(catalogues, code);
}

const STORED = 'herald-language';

let current: WordLanguage = 'en';

/** Returns the language of the page. */
export const language = (): WordLanguage => current;

/** Uses the language that the user has chosen, otherwise the first language of the browser that has texts, otherwise English. */
export function useLanguage(): void {
  const wanted = [localStorage.getItem(STORED) ?? '', ...browserLanguages()];
  current = wanted.find((code) => isLanguage(code)) ?? 'en';
}

/** Remembers the language that the user has chosen. */
export function storeLanguage(code: string): void {
  localStorage.setItem(STORED, code);
}

/**
 * Returns a text of the page with its values. Numbers have the format of the language.
 * @param values the values of the placeholders, such as `__name__`; `count` selects the plural
 */
export function text(key: Key, values: Readonly<Record<string, string | number>> = {}): string {
  const found: string | Plural = catalogues[current][key];
  const template = typeof found === 'string' ? found : pluralOf(found, Number(values['count']));
  return template.replace(/__(\w+?)__/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? pageNumeral(value) : value;
  });
}

function pluralOf({ one, other }: Plural, count: number): string {
  return (new Intl.PluralRules(current).select(count) === 'one' ? one : undefined) ?? other;
}

/** Formats a number with the given number of decimals. */
export function pageNumeral(value: number, digits = 0): string {
  return value.toLocaleString(current, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Starts a text with a capital letter. */
export const capitalized = (words: string): string =>
  words.charAt(0).toLocaleUpperCase(current) + words.slice(1);

/** Returns a text with the parts between backticks as code. */
export const marked = (words: string): Node[] =>
  words.split('`').map((part, index) => (index % 2 === 1 ? element('code', {}, part) : new Text(part)));

/** Writes the texts of the markup: `data-text` into the element, `data-label` as its accessible name, `data-title` as its title. */
export function writeTexts(): void {
  document.documentElement.lang = current;
  for (const place of document.querySelectorAll<HTMLElement>('[data-text], [data-label], [data-title]')) {
    const { text: content, label, title } = place.dataset;
    if (isKey(content)) place.replaceChildren(...marked(text(content)));
    if (isKey(label)) place.ariaLabel = text(label);
    if (isKey(title)) place.title = text(title);
  }
}

const isKey = (name: string | undefined): name is Key => name !== undefined && Object.hasOwn(en, name);
