import type { Language } from '../language.js';
import type { NormalizationRule } from '../rule.js';

/** Returns the rule for codes after the words that show them: "the code is 4072" is read digit by digit. */
export function codeRules({ signs, phones, numbers }: Language): NormalizationRule[] {
  const codes = signs?.codes;
  const spell = (digits: string) =>
    Array.from(digits, (digit) => phones.digit(Number(digit))).join(numbers.space);
  if (codes === undefined) return [partRule(spell)];
  const link = codes.link === undefined ? '' : `(?: (?:${codes.link}))?`;
  return [
    partRule(spell),
    {
      pattern: new RegExp(
        `(?<![\\p{L}\\p{M}\\p{N}])(?<before>(?:${codes.before}) ?:?${link} )(?:(?<letters>[A-Z]{1,4})[- ]?)?(?<digits>\\d{3} \\d{2}(?!\\p{N})|\\d{3,12})(?![\\p{L}\\p{M}\\p{N}]|[-.,:/ ]\\p{N}|\\s?[%\\p{Sc}])`,
        'gu',
      ),
      words: ({ before = '', letters = '', digits = '' }) =>
        `${before}${[...Array.from(letters), ...Array.from(digits.replace(' ', ''), (digit) => phones.digit(Number(digit)))].join(numbers.space)}`,
    },
  ];
}

/** Returns the rule for long groups of digits in a part number such as "MIG-25/235212": an amount has no such neighbours. */
const partRule = (spell: (digits: string) => string): NormalizationRule => ({
  sign: /[-/]\d{5}/u,
  pattern:
    /(?<=(?<![\p{L}\p{N}./:@?=&#_+-])(?:[A-Z]{1,5}(?:[-/][A-Z\d]{1,5}){0,3}|[1-9]\d{0,3})[-/])(?<digits>\d{5,12})(?=[-/][A-Za-z\d]|(?<=[A-Z][A-Z\d/-]{0,24})(?![\p{L}\p{N}._@%°]))/gu,
  words: ({ digits = '' }) => spell(digits),
});
