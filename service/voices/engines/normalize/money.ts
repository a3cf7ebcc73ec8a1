import { countedWords, rangeWords } from './quantities.js';
import type { Currency, Language } from './language.js';
import { leadingSign } from './measures.js';
import { numberWords, type Numeral, numeralPattern, parseNumeral } from './numerals.js';
import type { Groups, NormalizationRule } from './rule.js';
import { unitsOf } from './units.js';

const SIGNS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  US$: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
  '￥': 'JPY',
  '₩': 'KRW',
};
const SIGN = '(?<currency>US\\$|[€$£¥￥₩]|EUR|USD|GBP|JPY|KRW|CHF)';
const START = '(?<![\\p{Script=Latin}\\p{N}_@#/\\\\.,\\p{Sc}]|[\\p{Script=Latin}\\p{N}][-−–])';
const RATE = '(?:/(?<rate>kWh|kg|km|min|m²|m³|h|l|L|m)(?!\\p{L}))?';
const END = '(?![\\p{Script=Latin}\\p{N}_²³\\p{Sc}]|[.,:-]\\p{N})';

/** Returns the rules for amounts with the currency before and after the number. */
export function moneyRules(language: Language): NormalizationRule[] {
  const units = unitsOf(language);
  const number = numeralPattern(language);
  const scale = `(?:\\s?(?<scale>${alternatives(Object.keys(language.money.scales))})(?!\\p{L}))?`;
  const sign = '(?<sign>[-−–+]?)';
  const patterns = [
    `${START}${sign}${SIGN}\\s?(?<minus>[-−]?)(?<from>${number})(?:\\s?[-–—]\\s?[€$£¥￥₩]?(?<to>${number}))?${scale}${RATE}${END}`,
    `${START}${sign}(?<from>${number})(?:\\s?[€$£]?\\s?[-–—]\\s?(?<to>${number}))?${scale}\\s?${SIGN}${RATE}${END}`,
  ];
  return patterns.map((pattern) => ({
    pattern: new RegExp(pattern, 'gu'),
    words: (groups) => {
      const { rate = '' } = groups;
      const unit = units.get(rate);
      const amount = amountWords(groups, language);
      return unit === undefined
        ? amount
        : amount && `${amount}${language.numbers.space}${language.units.per(unit.one)}`;
    },
  }));
}

function amountWords(groups: Groups, language: Language): string | undefined {
  const { sign = '', minus = '', from = '', to, currency: symbol = '', scale } = groups;
  const currency = language.money.currencies[SIGNS[symbol] ?? symbol];
  const amount = wholeCoins(parseNumeral(from, `${sign}${minus}`, language), currency);
  const end = to === undefined ? undefined : parseNumeral(to, '', language);
  if (currency === undefined || amount === undefined || (to !== undefined && end === undefined))
    return undefined;
  if (scale !== undefined)
    return end === undefined ? scaledWords(amount, scale, currency, language) : undefined;
  const words =
    end === undefined
      ? wordsWithCents(amount, currency, language)
      : rangeWords(amount, end, currency.unit, language);
  return `${leadingSign(sign, language)}${words}`;
}

/** A currency without cents has no decimals: three digits after a mark are thousands. */
function wholeCoins(amount: Numeral | undefined, currency: Currency | undefined): Numeral | undefined {
  if (amount?.fraction.length !== 3 || currency === undefined || currency.cent !== undefined) return amount;
  return { ...amount, whole: `${amount.whole}${amount.fraction}`, fraction: '' };
}

function scaledWords(amount: Numeral, scale: string, { unit }: Currency, language: Language): string {
  const { units, money, numbers } = language;
  const number = `${numberWords(amount, language, 'plain')}${numbers.space}${money.scales[scale] ?? scale}`;
  return `${number}${numbers.space}${units.afterMillion(unit.other)}`;
}

/** Two decimals are cents. */
function wordsWithCents(amount: Numeral, { unit, cent }: Currency, language: Language): string {
  const { whole, fraction } = amount;
  if (cent === undefined || fraction.length !== 2) return countedWords(amount, unit, language);
  const units = countedWords({ ...amount, fraction: '' }, unit, language);
  if (fraction === '00') return units;
  const cents = { ...amount, whole: String(Number(fraction)), fraction: '' };
  if (whole === '0') return countedWords(cents, cent, language);
  return language.money.join(units, countedWords({ ...cents, isNegative: false }, cent, language));
}

/** Returns a pattern that matches any of the texts. Longer ones come first, since others may begin them. */
function alternatives(texts: Iterable<string>): string {
  const sorted = [...texts].sort((one, other) => other.length - one.length);
  return sorted.map((text) => text.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&')).join('|');
}
