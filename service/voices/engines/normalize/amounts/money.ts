import { countedWords, rangeWords, scaledWords, withScale } from './quantities.js';
import type { Currency, Language } from '../language.js';
import { leadingSign } from './measures.js';
import { type Numeral, numeralPattern, parseNumeral } from '../numerals.js';
import { alternatives, type Groups, type NormalizationRule } from '../rule.js';
import { unitsOf } from './units.js';

const SIGNS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  US$: 'USD',
  HK$: 'HKD',
  A$: 'AUD',
  C$: 'CAD',
  '£': 'GBP',
  '¥': 'JPY',
  '￥': 'JPY',
  '₩': 'KRW',
  '₹': 'INR',
  '₽': 'RUB',
  '₴': 'UAH',
  '₺': 'TRY',
  '₫': 'VND',
  R$: 'BRL',
  zł: 'PLN',
  Kč: 'CZK',
};
const START = "(?<![\\p{Script=Latin}\\p{N}_@#/\\\\.,\\p{Sc}]|[\\p{Script=Latin}\\p{N}][-−–]|\\p{N}['’])";
const END = '(?![\\p{Lu}\\p{Ll}\\p{N}_²³\\p{Sc}]|[.,:-]\\p{N})';

/** Codes that are words in lower case: "sek" is a second in ten languages, "ron" is rum in Spanish. */
const WORDS = ['sek', 'try', 'ron', 'bob', 'pen', 'cop', 'mad', 'cup'];
/** A full stop that ends a sentence is not part of a sign. */
const STOP = '\\.(?!\\s+\\p{Lu}|\\s*$)';

/** Returns the rules for amounts with the currency before and after the number. */
export function moneyRules(language: Language): NormalizationRule[] {
  const units = unitsOf(language);
  const number = numeralPattern(language);
  const rates = Array.from(units.keys()).filter((unit) => /^\p{L}+[²³]?$/u.test(unit));
  const RATE = `(?:/(?<rate>${alternatives(rates)})(?!\\p{L}))?`;
  const signs = { ...SIGNS, ...language.money.signs };
  const codes = Object.keys(language.money.currencies);
  const small = codes.map((code) => code.toLowerCase()).filter((code) => !WORDS.includes(code));
  const spellings = [...Object.keys(signs), ...codes, ...small];
  const SIGN = `(?<currency>${alternatives(spellings)})`
    .replaceAll('\\.|', `${STOP}|`)
    .replace(/\\\.\)$/u, `${STOP})`);
  // Quick tests, which fail at most places of a text.
  const first = alternatives(new Set(spellings.map((spelling) => spelling.charAt(0))));
  const longest = Math.max(...spellings.map(({ length }) => length)) - 1;
  const scales = Object.keys({ ...language.money.scales, ...language.money.shortScales });
  const scale =
    scales.length === 0 ? '' : `(?:\\s?(?<scale>${alternatives(scales)})(?![${lettersAfter(language)}]))?`;
  const sign = '(?<sign>[-−–+]?)';
  const patterns = [
    `(?=[-−–+]?(?:${first})[^\\d\\s]{0,${longest}}\\s?[-−]?\\d)${START}(?<!\\p{N}\\s?|\\p{L}(?=\\p{L}))${sign}${SIGN}\\s?(?<minus>[-−]?)(?<from>${number})(?:\\s?[-–—]\\s?(?<again>[€$£¥￥₩])?(?<to>${number}))?${scale}${RATE}${END}`,
    `(?=[-−–+\\d])${START}${sign}(?<from>${number})(?:\\s?[€$£]?\\s?[-–—]\\s?(?<to>${number}))?${scale}\\s?${SIGN}${RATE}${END}`,
  ];
  return patterns.map((pattern): NormalizationRule => ({
    pattern: new RegExp(pattern, 'gu'),
    words: (groups) => {
      const { rate = '' } = groups;
      const unit = units.get(rate);
      const amount = amountWords(groups, signs, language);
      return unit === undefined
        ? amount
        : amount && `${amount}${language.numbers.space}${language.units.per(unit.one ?? unit.other)}`;
    },
  }));
}

/** Returns the rule for numbers with a word such as "million", or its abbreviation. */
export function scaleRules(language: Language): NormalizationRule[] {
  const scales = Object.keys(language.money.scales);
  if (scales.length === 0) return [];
  const pattern = `${START}(?<sign>[-−–+]?)(?<from>${numeralPattern(language)})\\s?(?<scale>${alternatives(scales)})(?![\\p{L}\\p{N}])`;
  return [
    {
      pattern: new RegExp(pattern, 'gu'),
      words: ({ sign = '', from = '', scale = '' }) => {
        const amount = parseNumeral(from, sign, language);
        return amount && `${leadingSign(sign, language)}${withScale(amount, scale, language)}`;
      },
    },
  ];
}

/** Korean and Japanese words stand beside each other: particles follow an amount without a gap. */
const lettersAfter = ({ attachesUnits, numbers }: Language) =>
  attachesUnits === true || numbers.space === '' ? '\\p{Lu}\\p{Ll}' : '\\p{L}';

function amountWords(
  groups: Groups,
  signs: Readonly<Record<string, string>>,
  language: Language,
): string | undefined {
  const { sign = '', minus = '', from = '', to, currency: symbol = '', scale } = groups;
  const currency = currencyOf(symbol, signs[symbol] ?? symbol.toUpperCase(), language);
  const written = parseNumeral(from, `${sign}${minus}`, language);
  const amount = wholeCoins(written, currency);
  const end = to === undefined ? undefined : parseNumeral(to, '', language);
  if (
    currency === undefined ||
    written === undefined ||
    amount === undefined ||
    (to !== undefined && end === undefined)
  )
    return undefined;
  if (scale !== undefined)
    return end === undefined ? scaledWords(written, scale, currency.unit, language) : undefined;
  const words =
    end !== undefined && groups['again'] !== undefined
      ? language.numbers.range(
          wordsWithCents(amount, currency, language),
          wordsWithCents(end, currency, language),
        )
      : end === undefined
        ? wordsWithCents(amount, currency, language)
        : rangeWords(amount, end, currency.unit, language);
  return `${leadingSign(sign, language)}${words}`;
}

/** Returns the currency of a sign or a code; CLDR has no cents. */
function currencyOf(symbol: string, code: string, { money }: Language): Currency | undefined {
  const usual = money.currencies[code];
  const full =
    money.namesCodes === true && /^\p{L}{2,3}\$?$/u.test(symbol) && symbol.length === 3
      ? money.fullNames?.[code]
      : undefined;
  return usual && full ? { ...usual, unit: { ...full.unit, series: usual.unit.series } } : usual;
}

/** A currency without cents has no decimals: three digits after a mark are thousands. */
function wholeCoins(amount: Numeral | undefined, currency: Currency | undefined): Numeral | undefined {
  if (amount?.fraction.length !== 3 || currency === undefined || currency.cent !== undefined) return amount;
  return { ...amount, whole: `${amount.whole}${amount.fraction}`, fraction: '' };
}

/** Returns the digits of the cents: "5" and "500" are fifty. More exact decimals stay as they are. */
function centDigits(fraction: string): string {
  const digits = fraction.length > 2 && /^\d\d0+$/u.test(fraction) ? fraction.slice(0, 2) : fraction;
  return digits.length === 1 ? `${digits}0` : digits;
}

/** Two decimals are cents. */
function wordsWithCents(amount: Numeral, { unit, cent }: Currency, language: Language): string {
  const { whole } = amount;
  const fraction = centDigits(amount.fraction);
  if (cent === undefined || fraction.length !== 2) return countedWords(amount, unit, language);
  const units = countedWords({ ...amount, fraction: '' }, unit, language);
  if (fraction === '00') return units;
  const cents = { ...amount, whole: String(Number(fraction)), fraction: '' };
  if (whole === '0') return countedWords(cents, cent, language);
  return language.money.join(units, countedWords({ ...cents, isNegative: false }, cent, language));
}
