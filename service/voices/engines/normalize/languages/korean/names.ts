import { attachedNumerals } from '../../marks/attached-numerals.js';
import type { NormalizationRule } from '../../rule.js';
import { sino } from './numbers.js';

const COMPANIES: Readonly<Record<string, string>> = {
  주: '주식회사',
  유: '유한회사',
  사: '사단법인',
  재: '재단법인',
};

/** Korean signs and abbreviations without digits. */
export const koreanNames: readonly NormalizationRule[] = [
  {
    pattern: /\((?<kind>[주유사재])\) ?(?=\p{Script=Hangul})|㈜ ?/gu,
    words: ({ kind = '주' }) => `${COMPANIES[kind]} `,
  },
  {
    pattern: /(?<=\p{Script=Hangul})\((?<kind>[주유사재])\)/gu,
    words: ({ kind = '' }) => ` ${COMPANIES[kind]}`,
  },
  { pattern: /(?<![\p{L}\p{N}&/])#(?=[\p{L}_])/gu, words: () => '해시태그 ' },
  { pattern: /(?<=\p{L} ?)(?<![A-Za-z])vs\.?(?= ?\p{Script=Hangul})/giu, words: () => '대' },
  {
    pattern: /\((?<from>[월화수목금토일]) ?[〜～~-] ?(?<to>[월화수목금토일])\)/gu,
    words: ({ from, to }) => ` ${from}요일부터 ${to}요일`,
  },
  attachedNumerals({
    ordinal: '제',
    letters: '\\p{Script=Hangul}',
    before: /[학사론리어]$/u,
    words: (value, isOrdinal) => (isOrdinal ? sino(value) : ` ${sino(value)}`),
  }),
];
