import type { Language } from './language.js';
import type { NormalizationRule } from './rule.js';

/** Returns the rule for abbreviations. Longer ones come first, since others may begin them. */
export function abbreviationRules({ abbreviations = {} }: Language): NormalizationRule[] {
  const keys = Object.keys(abbreviations).sort((one, other) => other.length - one.length);
  if (keys.length === 0) return [];
  const any = keys.map((key) => key.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&')).join('|');
  return [
    {
      pattern: new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_@/.-])(?<short>${any})(?![\\p{L}\\p{M}\\p{N}_@/])`, 'gu'),
      words: ({ short = '' }) => abbreviations[short],
    },
  ];
}
