import type { Language, Noun } from './language.js';
import { type Numeral, numberWords, valueOf } from './numerals.js';

/** Returns the words of a number with its noun, in the noun's form for the number. */
export function countedWords(numeral: Numeral, noun: Noun, language: Language): string {
  return joined(numberWords(numeral, language, noun.series), formOf(numeral, noun, language), language);
}

/** Returns the words of a range with its noun: "ten to twenty degrees". */
export function rangeWords(from: Numeral, to: Numeral, noun: Noun, language: Language): string {
  const words = [from, to].map((numeral) => numberWords(numeral, language, noun.series));
  return joined(language.numbers.range(words[0] ?? '', words[1] ?? ''), formOf(to, noun, language), language);
}

function joined(number: string, name: string, { numbers }: Language): string {
  if (name.includes('#')) return name.replace('#', number);
  return numbers.join?.(number, name) ?? `${number}${numbers.space}${name}`;
}

function formOf(numeral: Numeral, { one, other }: Noun, { code, units }: Language): string {
  const form = pluralRules(code).select(valueOf(numeral));
  if (form === 'one') return one;
  return form === 'many' ? units.afterMillion(other) : other;
}

const loadedRules = new Map<string, Intl.PluralRules>();

/** Returns the plural rules of a language; to create them takes long. */
function pluralRules(code: string): Intl.PluralRules {
  let rules = loadedRules.get(code);
  if (rules === undefined) loadedRules.set(code, (rules = new Intl.PluralRules(code)));
  return rules;
}
