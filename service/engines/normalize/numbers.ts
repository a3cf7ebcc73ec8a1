import type { Language } from './language.js';
import { leadingSign } from './measures.js';
import { END, numberWords, numeralPattern, parseNumeral, START } from './numerals.js';
import type { Groups, Rule } from './rule.js';

/** Returns the rule for version numbers and network addresses, such as 1.2.3 and 192.168.1.1. */
export function dottedRules({ numbers }: Language): Rule[] {
  const { dot } = numbers;
  if (dot === undefined) return [];
  const words: Rule['words'] = ({ version = '', parts: text = '' }) => {
    const parts = text.split('.');
    if (isGrouped(parts)) return undefined;
    const spoken = parts.map((part) => numbers.cardinal(Number(part), 'plain')).join(` ${dot} `);
    return version === '' ? spoken : `${version} ${spoken}`;
  };
  return [
    {
      pattern: new RegExp(
        `(?<version>(?<![\\p{L}\\p{N}_])v|${START})(?<parts>\\d{1,6}(?:\\.\\d{1,6}){2,})${END}`,
        'gu',
      ),
      words,
    },
  ];
}

/** Returns the rule for English ordinals such as 1st, which stand in texts of every language. */
export function ordinalRule({ numbers }: Language): Rule {
  return {
    pattern: new RegExp(`${START}(?<value>[1-9]\\d{0,5})(?:st|nd|rd|th)${END}`, 'gu'),
    words: ({ value }) => numbers.ordinal(Number(value)),
  };
}

/** Whether the points separate thousands, as in 1.000.000, and it is no network address. */
function isGrouped([first = '', ...groups]: readonly string[]): boolean {
  const isAddress =
    groups.length === 3 && [first, ...groups].every((part) => Number(part) <= 255 && !part.startsWith('00'));
  return !isAddress && /^[1-9]\d{0,2}$/u.test(first) && groups.every((group) => group.length === 3);
}

/** Returns the rules for numbers without a noun: ranges, years, and numbers with separators, decimals or a sign. */
export function numberRules(language: Language): Rule[] {
  const number = numeralPattern(language);
  return [
    {
      pattern: new RegExp(
        `${START}(?<from>${number})(?<dash>-|\\s?[–—〜～~]\\s?)(?<to>${number})${END}`,
        'gu',
      ),
      words: (groups) => plainRange(groups, language),
    },
    {
      pattern: new RegExp(`${START}(?<sign>[-−–+±]?)(?<from>${number})${END}`, 'gu'),
      words: (groups) => plainWords(groups, language),
    },
  ];
}

/** A hyphen between numbers that do not look like a range may belong to a score, a part number or a model. */
function plainRange({ from = '', dash, to = '' }: Groups, language: Language): string | undefined {
  const [first, second] = [plainNumber(from, '', language), plainNumber(to, '', language)];
  if (first === undefined || second === undefined || (dash === '-' && !isRange(from, to))) return undefined;
  return language.numbers.range(first, second);
}

/** Small numbers, years and round numbers that rise. */
function isRange(from: string, to: string): boolean {
  const kinds = [/^\d\d?$/u, YEAR, /^\d+0$/u];
  return Number(from) < Number(to) && kinds.some((kind) => kind.test(from) && kind.test(to));
}

function plainWords({ sign = '', from = '' }: Groups, language: Language): string | undefined {
  const words = plainNumber(from, sign, language);
  return words === undefined ? undefined : `${leadingSign(sign, language)}${words}`;
}

/** Earlier years are rarer in texts than amounts of the same size. */
const YEAR = /^(?:1[5-9]|20)\d\d$/u;

function plainNumber(text: string, sign: string, language: Language): string | undefined {
  if (sign === '' && YEAR.test(text)) return language.numbers.year(Number(text));
  const numeral = parseNumeral(text, sign, language);
  return numeral && numberWords(numeral, language, 'plain');
}
