import type { NormalizationRule } from '../rule.js';

/**
 * Returns the rules for results of games such as 3-1. A hyphen or colon between small numbers is a score beside a word of games.
 * @param before a regular expression for the words before it, with the gap
 * @param after a regular expression for the words after it
 */
export function scoreForms(
  { before, after }: { before: string; after: string },
  words: (one: number, other: number) => string,
): NormalizationRule[] {
  const score = '(?<one>\\d{1,3}) ?[-–:] ?(?<other>\\d{1,3})';
  const end = '(?![\\p{Lu}\\p{Ll}\\p{N}]|[-–.:,/]\\p{N})';
  return [
    `(?<=(?:${before}))${score}${end}`,
    `(?<![\\p{Lu}\\p{Ll}\\p{N}]|[\\p{N}][-–.:,/])${score}(?=${after})`,
  ].map((pattern) => ({
    pattern: new RegExp(pattern, 'gu'),
    words: ({ one, other }) => words(Number(one), Number(other)),
  }));
}
