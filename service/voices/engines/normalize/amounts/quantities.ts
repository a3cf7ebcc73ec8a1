import type { Language, Noun } from '../language.js';
import { localeData } from '../locale-data.js';
import { type Numeral, numberWords } from '../numerals.js';

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
  if (name.startsWith('=')) return name.slice(1);
  return numbers.join?.(number, name) ?? `${number}${numbers.space}${name}`;
}

function formOf({ whole, fraction }: Numeral, noun: Noun, { code, units }: Language): string {
  const form = localeData(code).pluralOf(Number(whole), fraction);
  return noun[form] ?? (form === 'many' ? units.afterMillion(noun.other) : noun.other);
}

const MILLION = 10 ** 6;

/** Returns the words of a number with a word such as "million" and its noun: "two million euros". */
export function scaledWords(amount: Numeral, scale: string, noun: Noun, language: Language): string {
  const form = localeData(language.code).pluralOf(isThousand(wordOf(scale, language)) ? 1000 : MILLION, '');
  const name = noun[form] ?? (form === 'many' ? language.units.afterMillion(noun.other) : noun.other);
  return joined(withScale(amount, scale, language), name, language);
}

/** Returns a number with a word such as "million". */
export function withScale(amount: Numeral, scale: string, language: Language): string {
  const word = wordOf(scale, language);
  if (typeof word === 'string' && isThousand(word) && amount.whole === '1' && amount.fraction === '')
    return word;
  if (typeof word !== 'string') return countedWords(amount, word, language);
  if (word.includes('#')) return word.replace('#', numberWords(amount, language, 'plain'));
  const { join, space } = language.numbers;
  const number = numberWords(amount, language, 'plain');
  return join?.(number, word) ?? `${number}${space}${word}`;
}

const wordOf = (scale: string, { money }: Language): string | Noun =>
  money.scales[scale] ?? money.shortScales?.[scale] ?? scale;

/** French "mille", Portuguese "mil": the noun follows without a preposition, and one thousand has no "one". */
const isThousand = (word: string | Noun) => word === 'mille' || word === 'mil';
