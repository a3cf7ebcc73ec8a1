import type { Language } from '../language.js';
import type { NormalizationRule } from '../rule.js';

/** Abbreviations that can end a sentence: their full stop stays. */
const LAST_WORDS = /^(?:etc|usw|ecc|osv|o\.s\.v|stb|т\.д|и т\.п|dept|Jr)\.$/u;

/** Returns the rule for abbreviations. Longer ones come first, since others may begin them. */
export function abbreviationRules({ abbreviations = {} }: Language): NormalizationRule[] {
  const keys = Object.keys(abbreviations).sort((one, other) => other.length - one.length);
  if (keys.length === 0) return [];
  const any = keys.map((key) => key.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&')).join('|');
  return [
    {
      pattern: new RegExp(
        `(?<![\\p{L}\\p{M}\\p{N}_@/.-])(?<short>${any})(?:(?<=[°º№])(?<digit>(?=\\p{N}))|(?![\\p{L}\\p{M}\\p{N}_@/]))(?=(?<end>\\s*$|\\s+\\p{Lu})?)`,
        'gu',
      ),
      words: ({ short = '', digit, end }) =>
        `${abbreviations[short] ?? short}${digit === undefined ? '' : ' '}${end !== undefined && LAST_WORDS.test(short) ? '.' : ''}`,
    },
  ];
}
