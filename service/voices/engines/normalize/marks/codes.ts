import type { Language } from '../language.js';
import type { NormalizationRule } from '../rule.js';

/** Returns the rule for codes after the words that show them: "the code is 4072" is read digit by digit. */
export function codeRules({ signs, phones, numbers }: Language): NormalizationRule[] {
  const codes = signs?.codes;
  if (codes === undefined) return [];
  const link = codes.link === undefined ? '' : `(?: (?:${codes.link}))?`;
  return [
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
