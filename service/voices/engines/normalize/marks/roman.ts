import type { Language } from '../language.js';
import type { NormalizationRule } from '../rule.js';

const VALUES: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };
const WELL_FORMED = /^M{0,3}(?:CM|CD|D?C{0,3}|MCM)(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/u;

/** Returns the rules for Roman numerals beside the words that show them, such as "chapter". */
export function romanRules({ roman }: Language): NormalizationRule[] {
  if (roman === undefined) return [];
  const { after } = roman;
  const point = roman.point === true ? '(?:\\.(?! *$))?' : '';
  const rules: NormalizationRule[] = [
    {
      sign: / [ivxlcdmIVXLCDM]+(?!\p{L})/u,
      pattern: new RegExp(
        `(?<![\\p{L}\\p{M}])(?<before>(?:${roman.before})) (?<numeral>[ivxlcdm]+)${point}(?![\\p{L}\\p{M}\\p{N}'’])`,
        'giu',
      ),
      words: ({ before = '', numeral = '' }, context) => {
        const value = isWord(numeral) ? undefined : romanValue(numeral.toUpperCase());
        return value === undefined ? undefined : `${before} ${roman.words(value, before, context)}`;
      },
    },
  ];
  if (after !== undefined)
    rules.push({
      sign: /[IVXLC]/u,
      pattern: new RegExp(
        `(?<![\\p{L}\\p{M}\\p{N}])(?<numeral>[IVXLC]+)${after.mark ?? ''} (?<after>${after.pattern})(?![\\p{L}\\p{M}])`,
        'gu',
      ),
      words: ({ numeral = '', after: word = '' }, context) => {
        const value = romanValue(numeral);
        return value === undefined ? undefined : `${after.words(value, word, context)} ${word}`;
      },
    });
  return rules;
}

/** Small letters are more often words, such as Swedish "i" and Italian "di"; C, D, L and M are names: "part C". */
function isWord(numeral: string): boolean {
  return numeral !== numeral.toUpperCase()
    ? /^(?:[ivlcdm]|[dmvlc]i|mix|[dcm][lmc]|cd|md)$/u.test(numeral)
    : /^(?:[CDLM]|CD|DC|MIX)$/u.test(numeral);
}

/** Returns the value of a numeral in capital letters, or undefined if it is not well-formed. */
export function romanValue(numeral: string): number | undefined {
  if (!WELL_FORMED.test(numeral)) return undefined;
  const values = Array.from(numeral, (letter) => VALUES[letter] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}
