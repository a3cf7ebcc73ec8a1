import type { CalendarDate, Language } from './language.js';
import { monthNames } from './month-names.js';
import type { Groups, NormalizationRule } from './rule.js';

const START = '(?<![\\p{Script=Latin}\\p{N}_@#/\\\\.,:+-])';
const END = "(?![\\p{Script=Latin}\\p{N}_@#/\\\\]|[-.,:'’]\\p{N})";
const DAY = '(?<day>\\d{1,2})';
const YEAR = '(?<year>\\d{4})';

/** 2026-11-21T07:05:00.000Z, as programs write it: seconds and time zone are not read. */
const TIMESTAMP = `${START}(?<date>\\d{4}-\\d\\d-\\d\\d)T(?<time>\\d\\d:\\d\\d)(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?(?![\\p{L}\\p{N}])`;

/** Returns the rules for dates in figures, and for days and years beside the name of a month. */
export function dateRules(language: Language): NormalizationRule[] {
  const { shortDates, monthFirst } = language.dates;
  const toWords = (groups: Groups, before: string) => dateWords(groups, before, language);
  const inFigures: Array<[pattern: string, words: NormalizationRule['words']]> = [
    [TIMESTAMP, ({ date = '', time = '' }) => `${date} ${time}`],
    [`${START}${YEAR}(?<mark>[-./])(?<month>\\d{1,2})\\k<mark>${DAY}${END}`, toWords],
    [
      `${START}${DAY}(?<mark>[-./])(?<month>\\d{1,2})\\k<mark>${YEAR}${END}`,
      (groups, before) => toWords(monthFirst ? withMonthFirst(groups) : groups, before),
    ],
  ];
  if (shortDates)
    inFigures.push([
      `${START}${DAY}\\.(?<month>\\d{1,2})\\.(?:(?<year>\\d\\d)(?![\\d.:])|(?!\\p{L}|\\p{N}))`,
      toWords,
    ]);
  return [
    ...inFigures.map(([pattern, words]) => ({ pattern: new RegExp(pattern, 'gu'), words })),
    ...monthNameRules(language),
  ];
}

/** The American order, for dates such as 11/21/2026; 21.11.2026 and 21/11/2026 begin with the day. */
function withMonthFirst(groups: Groups): Groups {
  const { day, month, mark } = groups;
  return mark === '.' || Number(day) > 12 ? groups : { ...groups, day: month, month: day };
}

function monthNameRules(language: Language): NormalizationRule[] {
  const { dayMonth, monthYear } = language.dates;
  if (dayMonth === undefined || monthYear === undefined) return [];
  const names = monthNames(language.code);
  const month = `(?<name>${names.join('|')})(?!\\p{L})`;
  const words: NormalizationRule['words'] = ({ name = '', ...groups }, before) =>
    dateWords({ ...groups, month: String(names.indexOf(name) + 1) }, before, language);
  const patterns = [`${START}${DAY}${dayMonth}${month}(?:${monthYear}${YEAR}${END})?`];
  if (language.dates.monthFirst)
    patterns.push(`(?<!\\p{L})${month} ${DAY}(?:st|nd|rd|th)?(?:,? ${YEAR})?${END}`);
  return patterns.map((pattern) => ({ pattern: new RegExp(pattern, 'gu'), words }));
}

function dateWords(groups: Groups, before: string, language: Language): string | undefined {
  const date = toDate(groups);
  return date && language.dates.date(date, before);
}

const CENTURY = 2000;

/** Returns undefined for an invalid date, such as 2026-13-40. A year of two digits is of this century. */
function toDate({ year, month = '', day = '' }: Groups): CalendarDate | undefined {
  const fullYear = year === undefined ? undefined : Number(year) + (year.length === 2 ? CENTURY : 0);
  const date = { year: fullYear, month: Number(month), day: Number(day) };
  const days = new Date(Date.UTC(fullYear ?? CENTURY, date.month, 0)).getUTCDate();
  return date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= days ? date : undefined;
}
