import type { Language } from '../language.js';
import { END, START } from '../numerals.js';
import type { NormalizationRule } from '../rule.js';
import { unitsOf } from './units.js';

/** Figures with a slash that are not fractions. */
const FIXED = ['24/7', '9/11', '4/4'];
const VULGAR: Readonly<Record<string, string>> = {
  '½': '1/2',
  '⅓': '1/3',
  '⅔': '2/3',
  '¼': '1/4',
  '¾': '3/4',
  '⅛': '1/8',
};
const MAX = 10 ** 6;

/** Returns the rules for fractions, with or without a whole number before them. */
export function fractionRules(language: Language): NormalizationRule[] {
  const { fraction, numbers } = language;
  if (fraction === undefined) return [];
  const read = (whole: string | undefined, text: string, sign = ''): string | undefined => {
    const [numerator = 0, denominator = 0] = text.split('/').map(Number);
    const isMonth = numerator <= 12 && denominator >= 1900 && denominator < 2100;
    const isPair = numerator <= 300 && numerator >= denominator && denominator >= 10;
    if (whole === undefined && (isMonth || isPair)) return undefined;
    if (FIXED.includes(text) || numerator > MAX * MAX || denominator > MAX * 10) return undefined;
    const words = fraction({ whole, numerator, denominator });
    return words === undefined || sign === '' ? words : `${numbers.minus}${numbers.space}${words}`;
  };
  const whole = '(?<sign>[-−]?)(?:(?<whole>\\d{1,9}) ?)?';
  return [
    {
      sign: /[½⅓⅔¼¾⅛]/u,
      pattern: new RegExp(`${START}${whole}(?<vulgar>[½⅓⅔¼¾⅛])(?!\\p{N})`, 'gu'),
      words: ({ sign, whole, vulgar = '' }) => read(whole, VULGAR[vulgar] ?? '', sign),
    },
    unitRule(language, read),
    {
      sign: '/',
      pattern: new RegExp(
        `${START}(?<sign>[-−]?)(?:(?<whole>\\d{1,9}) )?(?<text>\\d{1,12}/\\d{1,7})(?:th|TH)?${END}`,
        'gu',
      ),
      words: ({ sign, whole, text = '' }) => read(whole, text, sign),
    },
  ];
}

/** Reads a fraction, with the whole number before it. */
type Read = (whole: string | undefined, text: string, sign?: string) => string | undefined;

/** Returns the rule for fractions of a unit: "3/4 l". */
function unitRule(language: Language, read: Read): NormalizationRule {
  const nouns = unitsOf(language);
  const { numbers } = language;
  return {
    sign: '/',
    pattern: new RegExp(
      `${START}(?<sign>[-−]?)(?:(?<whole>\\d{1,9}) )?(?<text>\\d{1,12}/\\d{1,7}) ?(?<unit>[\\p{Script=Latin}µ]{1,5}[²³]?)(?![\\p{Script=Latin}\\p{N}²³/]|['’]\\p{L})`,
      'gu',
    ),
    words: ({ sign, whole, text = '', unit = '' }) => {
      const [noun, words] = [nouns.get(unit), read(whole, text, sign)];
      if (noun === undefined || words === undefined) return undefined;
      const [numerator = 0, denominator = 0] = text.split('/').map(Number);
      const joined = sign === '' ? language.fractionOf?.({ whole, numerator, denominator }, noun) : undefined;
      if (joined !== undefined) return joined;
      const name = whole === undefined ? (noun.one ?? noun.other) : noun.other;
      return name.includes('#') ? name.replace('#', words) : `${words}${numbers.space}${name}`;
    },
  };
}
