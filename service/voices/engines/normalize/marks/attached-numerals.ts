import { romanValue } from './roman.js';
import type { NormalizationRule } from '../rule.js';

interface AttachedNumerals {
  /** The sign of an ordinal before the numeral: 第IV. */
  ordinal: string;
  /** Letters of words with a numeral at their end, for a character class: 数学II. */
  letters: string;
  /** Words whose end may be I, V or X; after others, one letter alone is a name. */
  before: RegExp;
  words(value: number, isOrdinal: boolean): string;
}

/** Returns the rule for Roman numerals right beside letters of another script. */
export function attachedNumerals({ ordinal, letters, before, words }: AttachedNumerals): NormalizationRule {
  return {
    pattern: new RegExp(
      `(?<=${ordinal})(?<after>[IVXLC]{1,7})(?![A-Za-z])|(?<=[${letters}])(?<end>[IVX]{1,5})(?![A-Za-z\\p{N}])`,
      'gu',
    ),
    words: ({ after, end }, textBefore) => {
      const value = romanValue(after ?? end ?? '');
      const isName = after === undefined && end?.length === 1 && !before.test(textBefore);
      return value === undefined || isName ? undefined : words(value, after !== undefined);
    },
  };
}
