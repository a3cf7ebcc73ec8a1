import { END, START } from '../numerals.js';
import type { NormalizationRule } from '../rule.js';

/** The words of the signs; `equals` may depend on the number before it. */
export interface EquationWords {
  plus: string;
  minus: string;
  times: string;
  divided: string;
  equals(before: string): string;
  /** Reads a number, which may have decimals after a point. */
  number(numeral: string): string;
  space: ' ' | '';
}

const NUMBER = '\\d{1,9}(?:\\.\\d{1,6})?';

/** Returns the rule for sums such as 2 + 3 = 5 and 6 × 7 = 42. */
export function equationForm(words: EquationWords): NormalizationRule {
  const signs: Readonly<Record<string, string>> = {
    '+': words.plus,
    '-': words.minus,
    '−': words.minus,
    '×': words.times,
    x: words.times,
    '÷': words.divided,
    '/': words.divided,
  };
  return {
    pattern: new RegExp(
      `${START}(?<sum>${NUMBER}(?:(?: ?[+−×÷x-] ?| / )${NUMBER}){1,9}) ?= ?(?<result>${NUMBER})${END}`,
      'gu',
    ),
    words: ({ sum = '', result = '' }) => {
      const parts = (sum.match(new RegExp(`${NUMBER}|[+−×÷x/-]`, 'gu')) ?? []).map(
        (part) => signs[part] ?? words.number(part),
      );
      const equals = words.equals(parts.at(-1) ?? '');
      const joined = parts.join(words.space);
      return `${joined}${equals}${words.space}${words.number(result)}`;
    },
  };
}
