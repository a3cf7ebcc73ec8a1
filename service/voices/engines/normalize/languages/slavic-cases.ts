import { END, START } from '../numerals.js';
import type { NormalizationRule } from '../rule.js';

export type Case = 'nominative' | 'genitive' | 'dative' | 'accusative' | 'instrumental' | 'prepositional';

/** Words before a number by the case after them, separated by `|`. */
export type Governors = Readonly<Partial<Record<Case, string>>>;
/** Returns the case that the last word of a text demands; undefined after other words. */
export type CaseAfter = (before: string) => Case | undefined;

const CASES = ['genitive', 'dative', 'accusative', 'instrumental', 'prepositional'] as const;

export function caseFinder(governors: Governors): CaseAfter {
  const cases = new Map<string, Case>(
    CASES.flatMap((one) => (governors[one] ?? '').split('|').map((word) => [word, one] as const)),
  );
  return (before) => {
    const [, word = ''] = /(?<![\p{L}-])(\p{L}+(?:-\p{L}+)?) $/u.exec(before) ?? [];
    return word === '' ? undefined : cases.get(word.toLowerCase());
  };
}

const LINKED = '(?:, | и | или | і | та | або | i | oraz | lub | a | по | до | do | po | až | ?[-–] ?)';
/** Returns the pattern of a list of numbers with at most six parts. */
export const numberList = (number: string, min = 0): string => `${number}(?:${LINKED}${number}){${min},5}`;

interface ListContext {
  caseAfter: CaseAfter;
  before: string;
  /** The case of the last number, if a noun shows it. */
  last?: Case | undefined;
  /** The case without any sign of one. */
  usual?: Case;
}

/** Returns a list such as "1990 по 1995", with the case of each number by the preposition before it. */
export function withCases(
  list: string,
  { caseAfter, before, last, usual = 'genitive' }: ListContext,
  read: (wanted: Case, value: number) => string,
): string {
  const segments = list.split(/ (?=(?:по|до|do|po|až) )/u);
  return segments
    .map((segment, at) => {
      const own = caseAfter(at === 0 ? before : `${segment.split(' ')[0]} `);
      const wanted = (at === segments.length - 1 ? last : undefined) ?? own ?? last ?? usual;
      return segment.replace(/\d+/gu, (digits) => read(wanted, Number(digits)));
    })
    .join(' ');
}

/** Returns the case that the last preposition before a list, or in it, demands. */
export const lastCase = (list: string, before: string, caseAfter: CaseAfter): Case | undefined =>
  caseAfter(/ (?:по|до|do|po|až) (?=\d+$)/u.exec(list)?.[0] ?? before);

/** The year in a language: its noun and its ordinals. */
export interface YearWords {
  caseAfter: CaseAfter;
  /** The forms of the noun; a form of two cases has the one that is not after a preposition of place. */
  nouns: Readonly<Record<string, Case>>;
  /** The form for two cases: "roku" is the genitive and the locative. */
  shared?: string;
  /** Its abbreviation, and the noun in its place. */
  short: string;
  noun(wanted: Case): string;
  year(wanted: Case, value: number): string;
}

/** Returns the rules for years beside their noun or a preposition: "w 1987 r.", "у 1987 році", "od 1990 do 1995". */
export function yearRules({ caseAfter, nouns, shared, short, noun, year }: YearWords): NormalizationRule[] {
  const escaped = short.replace('.', '\\.');
  const names = Object.keys(nouns).join('|');
  return [
    {
      pattern: new RegExp(
        `${START}(?<list>${numberList('[12]\\d{3}')}) ?(?<name>${names}|${escaped})(?!\\p{L})(?=(?<end> ?$)?)`,
        'gu',
      ),
      words: ({ list = '', name = '', end }, before) => {
        const own = lastCase(list, before, caseAfter);
        const isShort = name === short;
        const byNoun = name === shared && own === 'prepositional' ? own : nouns[name];
        const last = isShort ? (own ?? 'genitive') : byNoun;
        const word = isShort ? `${noun(last ?? 'genitive')}${end === undefined ? '' : '.'}` : name;
        return `${withCases(list, { caseAfter, before, last }, year)} ${word}`;
      },
    },
    {
      pattern: new RegExp(`(?<=(?<!\\p{L})(?<name>${names}) )(?<value>[12]\\d{3})${END}`, 'giu'),
      words: ({ name = '', value }, before) => {
        const rest = before.slice(0, -name.length - 1);
        const own = caseAfter(rest);
        const form = name.toLowerCase();
        return year((form === shared ? own : undefined) ?? nouns[form] ?? 'nominative', Number(value));
      },
    },
    {
      // Any other word after the number could be counted.
      pattern: new RegExp(
        `${START}(?<list>${numberList('(?:1[5-9]|20)\\d\\d')})${END}(?=$|[.,;:!?)"»”])`,
        'gu',
      ),
      words: ({ list = '' }, before) => {
        const own = caseAfter(before);
        return own && withCases(list, { caseAfter, before }, year);
      },
    },
  ];
}

const DAY = '(?:0?[1-9]|[12]\\d|3[01])';

/**
 * Returns the rule for days of one month: "с 1 по 15 июня", "od 1 do 15 czerwca".
 * @param point a regular expression for the mark after a day: Czech "1."
 * @param range returns the words of a range with a dash
 */
export function dayListRule(
  months: readonly string[],
  {
    caseAfter,
    point = '',
    usual,
    day,
    range,
  }: {
    caseAfter: CaseAfter;
    point?: string;
    usual(before: string): Case;
    day(wanted: Case, value: number): string;
    range(from: number, to: number): string;
  },
): NormalizationRule {
  return {
    pattern: new RegExp(
      `(?=\\d)(?<![\\p{L}\\p{N}.,:/-])(?<list>${numberList(`${DAY}${point}`, 1)})(?= (?:${months.join('|')})(?!\\p{L}))`,
      'gu',
    ),
    words: ({ list = '' }, before) => {
      const plain = list.replaceAll('.', '');
      const [, from, to] = /^(\d+) ?[-–] ?(\d+)$/u.exec(plain) ?? [];
      if (to !== undefined && caseAfter(before) === undefined) return range(Number(from), Number(to));
      const last = / (?:по|до|do|po|až) /u.test(plain) ? undefined : usual(before);
      return withCases(plain, { caseAfter, before, last }, day);
    },
  };
}
