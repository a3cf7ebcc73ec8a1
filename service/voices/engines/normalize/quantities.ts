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
  const form = pluralRules(code, Math.min(numeral.fraction.length, MAX_DECIMALS)).select(valueOf(numeral));
  if (form === 'one') return one;
  return form === 'many' ? units.afterMillion(other) : other;
}

const loadedRules = new Map<string, Intl.PluralRules>();
/** No plural form depends on more decimals. */
const MAX_DECIMALS = 3;

/** Returns the plural rules for numbers with some decimals: "1.0 meters". Creating the rules takes long. */
function pluralRules(code: string, decimals: number): Intl.PluralRules {
  const key = `${code} ${decimals}`;
  const rules = loadedRules.get(key) ?? new Intl.PluralRules(code, { minimumFractionDigits: decimals });
  loadedRules.set(key, rules);
  return rules;
}
