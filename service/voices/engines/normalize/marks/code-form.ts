import type { NormalizationRule } from '../rule.js';

/** Words before a code, and its reading. */
export interface CodeWords {
  /** A regular expression for the words before the code and the gap. */
  before: string;
  /** A regular expression for a word after a number that makes an amount of it. */
  notBefore?: string;
  spell(digits: string): string;
  /** Between the groups of digits. */
  pause: ', ' | '、';
}

/** Returns the rule for codes of three or more digits after words such as "code", with or without letters before the digits. */
export function codeForm({ before, notBefore = '(?!)', spell, pause }: CodeWords): NormalizationRule {
  return {
    pattern: new RegExp(
      `(?<=(?:${before}))(?:(?<letters>[A-Z]{1,4})[- ]?)?(?<digits>\\d{3,16}(?:-\\d{2,8}){0,4})(?![\\p{Lu}\\p{Ll}\\p{N}_@/%°]|[.,:-]\\p{N}|${notBefore})`,
      'gu',
    ),
    words: ({ letters = '', digits = '' }) =>
      [...letters.split(''), digits.split('-').map(spell).join(pause)].join(' '),
  };
}
