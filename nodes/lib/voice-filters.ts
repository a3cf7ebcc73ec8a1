import { models } from '@herald-speech/client';
import { localeOf, type Translator } from '../runtime/localize.js';

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
  const codes = new Map(['en', localeOf(translator)].flatMap(codesByName));
  const changed = WORDS.flatMap((field): [string, string][] => {
    const text = filters[field]?.toLowerCase();
    if (text === undefined) return [];
    if (field !== 'language') return [[field, text]];
    return [[field, text.replace(/[^,;]+/g, (name) => codes.get(name.trim()) ?? name.trim())]];
  });
  return { ...filters, ...Object.fromEntries(changed) };
}

/** Returns the lower-case names of the languages of all models, with their codes. */
function codesByName(locale: string): [name: string, code: string][] {
  const names = new Intl.DisplayNames(locale, { type: 'language' });
  const codes = new Set(Object.values(models).flatMap(({ languages }) => languages));
  return [...codes].map((code) => [(names.of(code) ?? code).toLowerCase(), code]);
}
