import { END, START } from '../../numerals.js';
import type { NormalizationRule } from '../../rule.js';
import { amountAfter, isUnit } from './amounts.js';
import { type Case, dayListRule, lastCase, numberList, withCases } from '../slavic-cases.js';
import { cardinalIn, russianCaseAfter, formIn, yearIn } from './cases.js';
import { spellOut } from '../../spell-out.js';
import { russianOrdinal } from './ordinals.js';

export const RUSSIAN_MONTHS =
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'.split(' ');

/** The forms of "год" with their case; after "г." and "гг." the preposition decides. */
const NOUNS: Readonly<Record<string, Case>> = {
  год: 'nominative',
  года: 'genitive',
  году: 'prepositional',
  годом: 'instrumental',
  годы: 'nominative',
  годов: 'genitive',
  годам: 'dative',
  годами: 'instrumental',
  годах: 'prepositional',
};
const yearsOf = (year: string) => `${numberList(year)}(?:[-–]\\d\\d(?!\\d))?`;

/** Returns the name of a year or of years for an abbreviation. */
function nounIn(wanted: Case, isPlural: boolean): string {
  if (wanted === 'accusative') return isPlural ? 'годы' : 'год';
  const names = Object.entries(NOUNS).filter(
    ([name, one]) => one === wanted && /год(?:ы|ов|ам|ами|ах)$/u.test(name) === isPlural,
  );
  return names[0]?.[0] ?? (wanted === 'dative' ? 'году' : 'года');
}

/** Rules for years and lists of years: "в 1941–1945 годах", "с 1990 по 1995 г.", "к 2030". */
export const yearForms: readonly NormalizationRule[] = [
  {
    pattern: new RegExp(
      `${START}(?<list>${yearsOf('[12]\\d{3}')}|\\d{1,3}(?= г\\. (?:до )?(?:нашей|н\\.))) ?(?<noun>год(?:а|у|ом|ы|ов|ам|ами|ах)?|гг?\\.)(?!\\p{L})(?=(?<end> ?$)?)`,
      'gu',
    ),
    words: ({ list = '', noun = '', end }, before) => {
      const own = lastCase(list, before, russianCaseAfter);
      const isDative = own === 'dative' || /(?<!\p{L})по $/iu.test(before);
      const last = noun === 'году' && isDative ? 'dative' : (NOUNS[noun] ?? own ?? 'genitive');
      const name = noun in NOUNS ? noun : nounIn(last, noun === 'гг.') + (end === undefined ? '' : '.');
      return `${withCases(list, { caseAfter: russianCaseAfter, before, last }, yearIn)} ${name}`;
    },
  },
  {
    pattern: new RegExp(
      `${START}(?<list>${yearsOf('(?:1[5-9]|20)\\d\\d')})${END}(?=(?: ?(?<next>[^\\s\\d,;:!?)»"]{1,20}))?)`,
      'gu',
    ),
    words: ({ list = '', next = '' }, before) => {
      if (isUnit(next)) return undefined;
      if (amountAfter(next))
        return withCases(list, { caseAfter: russianCaseAfter, before, usual: 'nominative' }, amountIn);
      if (/(?:: |(?<!\p{L})год )$/iu.test(before))
        return withCases(list, { caseAfter: russianCaseAfter, before, last: 'nominative' }, yearIn);
      return russianCaseAfter(before) && withCases(list, { caseAfter: russianCaseAfter, before }, yearIn);
    },
  },
];

const MONTH = `(?:${RUSSIAN_MONTHS.join('|')})`;
/** A date before "и", with the text before it. */
const JOINED_DATE = new RegExp(
  `^(?<rest>.*?)\\d{1,2} ${MONTH}(?: \\d{4}(?: года| г\\.)?)?(?:,| и| или) $`,
  'u',
);
const SUBJECT = /(?:^|[:;.!?–—-]|(?<!\p{L})(?:сегодня|завтра|вчера|это|и|или)) ?$/iu;

/**
 * Returns the words of a day. A preposition decides its case. Without one, the day is in the nominative after "сегодня" and at the
 * start, and in the genitive after most words.
 */
export function dayIn(day: number, before: string): string {
  const rest = JOINED_DATE.exec(before)?.groups?.['rest'];
  if (rest !== undefined) return dayIn(day, rest);
  return russianOrdinal(day, formIn(dayCase(before), 'neuter')) ?? '';
}

function dayCase(before: string): Case {
  const own = russianCaseAfter(before);
  // A day after "в" has no case of its own: "в пятницу, 5 мая".
  const isPlace = own === 'prepositional' && !/(?<!\p{L})об? $/iu.test(before);
  return (isPlace ? undefined : own) ?? (SUBJECT.test(before) ? 'nominative' : 'genitive');
}

const neuter = (wanted: Case, value: number) => russianOrdinal(value, formIn(wanted, 'neuter')) ?? '';

/** The rule for days of one month: "с 1 по 15 июня", "12, 13 и 14 мая". */
export const dayForm = dayListRule(RUSSIAN_MONTHS, {
  caseAfter: russianCaseAfter,
  usual: dayCase,
  day: neuter,
  range: (from, to) => `с ${neuter('genitive', from)} по ${neuter('accusative', to)}`,
});

/** Before a noun in the genitive plural, "в" and "на" take the accusative, which is like the nominative. */
function amountIn(wanted: Case, value: number): string {
  return wanted === 'genitive' || wanted === 'dative'
    ? cardinalIn(wanted, value)
    : spellOut('ru', '%spellout-numbering', value);
}
