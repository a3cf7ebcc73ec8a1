import { localeOfTranslator, type Translator } from '../runtime/localize.js';

/** Filters whose values are lower-case words, separated by commas or semicolons. */
const WORDS = ['language', 'gender', 'age', 'use_case', 'use_cases', 'style'] as const;

type WordFilters = { [Field in (typeof WORDS)[number]]?: string | undefined };

/**
 * Returns filters as the service expects them: words in lower case, and language codes in place of names. Accepts the names of
 * languages in English and in the language of the translator.
 */
export function normalizedFilters<Filters extends WordFilters>(
  filters: Filters,
  translator: Translator,
): Filters {
  const codes = new Map(['en', localeOfTranslator(translator)].flatMap(codesByName));
  const changed = WORDS.flatMap((field): [string, string][] => {
    const text = filters[field]?.toLowerCase();
    if (text === undefined) return [];
    if (field !== 'language') return [[field, text]];
    return [[field, text.replace(/[^,;]+/g, (name) => codes.get(name.trim()) ?? name.trim())]];
  });
  return { ...filters, ...Object.fromEntries(changed) };
}

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

/** Returns the lower-case names of all languages with two letters (ISO 639-1), with their codes. Former codes such as `iw` are left out. */
function codesByName(locale: string): [name: string, code: string][] {
  const names = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return codes.flatMap((code) => {
    const name = Intl.getCanonicalLocales(code)[0] === code ? names.of(code) : undefined;
    return name === undefined ? [] : [[name.toLowerCase(), code]];
  });
}
