import type { CalendarDate, Language } from './language.js';
import { localeData } from './locale-data.js';
import type { Groups, NormalizationRule } from './rule.js';

const START = '(?=\\d)(?<![\\p{Script=Latin}\\p{N}_@#/\\\\.,:+-])';
const END = "(?![\\p{Script=Latin}\\p{N}_@#/\\\\]|[-.,:'’]\\p{N})";
const DAY = '(?<day>\\d{1,2})';
const YEAR = '(?<year>\\d{4})';
/** The word "version" of the languages, right before the figures. */
const VERSION =
  /(?<!\p{L})(?:v[eè]rsi(?:on|ón|one|oon|onen|unea?|o|ja|e)|versão|versie|wersj[aieęą]|verz(?:e|ia|iou?|i|ió|ija)|верси[яиюей]|версі[яїю]|έκδοση|sürüm|phiên bản|الإصدار|संस्करण|バージョン|版本|버전):? $/iu;

/** 2026-11-21T07:05:00.000Z, as programs write it: seconds and time zone are not read. */
const TIMESTAMP = `${START}(?<date>\\d{4}-\\d\\d-\\d\\d)T(?<time>\\d\\d:\\d\\d)(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?(?![\\p{L}\\p{N}])`;

type DateRule = [pattern: string, words: NormalizationRule['words'], sign: RegExp];

/** Days and months with points: 03.04, 3. 4. 2026, 3.4. */
const pointDates = (words: NormalizationRule['words']): DateRule[] => [
  [
    `(?<=^|(?<!\\p{L})(?:am|vom|zum|bis|ab|seit|с|до|от|на|к) )${START}(?<day>0\\d|[12]\\d|3[01])\\.(?<month>0[1-9])(?![\\d.,:]|\\p{L}| ?[€$%°\\p{L}])`,
    words,
    /\d\.0/u,
  ],
  [`${START}${DAY}\\. (?<month>\\d{1,2})\\. ${YEAR}${END}`, words, /\d\. \d/u],
  [
    `${START}${DAY}\\.(?<month>\\d{1,2})\\.(?:(?<year>\\d\\d)(?![\\d.:])|(?!\\p{L}|\\p{N}))`,
    words,
    /\d\.\d\d?\./u,
  ],
];

/** Returns the rules for dates in figures, and for days and years beside the name of a month. */
export function dateRules(language: Language): NormalizationRule[] {
  const { shortDates, monthFirst } = language.dates;
  // 2026.4.1 is a version where dates do not begin with the year.
  const yearFirst = ['hu', 'ja', 'ko', 'zh'].includes(language.code) ? '' : '(?<!\\.(?!\\d\\d\\.\\d\\d))';
  const toWords = (groups: Groups, before: string) => dateWords(groups, before, language);
  const inFigures: DateRule[] = [
    [TIMESTAMP, ({ date = '', time = '' }) => `${date} ${time}`, /\dT\d/u],
    [
      `${START}${YEAR}(?<mark>[-./])${yearFirst}(?<month>\\d{1,2})\\k<mark>${DAY}${END}`,
      toWords,
      /\d{4}[-./]/u,
    ],
    [
      `${START}${DAY}(?<mark>[-./])(?<month>\\d{1,2})\\k<mark>${YEAR}${END}`,
      (groups, before) => {
        const usual = monthFirst ? withMonthFirst(groups) : groups;
        const isFirst = usual === groups && groups['mark'] !== '/';
        const words = dateWords(usual, before, language, isFirst || undefined);
        // 10/30/2024 has the month first in any language.
        return words ?? toWords({ ...usual, day: usual['month'], month: usual['day'] }, before);
      },
      /[-./]\d{4}/u,
    ],
  ];
  if (monthFirst)
    inFigures.push([`${START}(?<month>\\d{1,2})/${DAY}/(?<year>\\d\\d)${END}`, toWords, /\d\/\d\d?\/\d/u]);
  if (shortDates) inFigures.push(...pointDates(toWords));
  return [
    ...inFigures.map(([pattern, words, sign]) => ({
      sign,
      pattern: new RegExp(pattern, 'gu'),
      words: (groups: Groups, before: string) => (VERSION.test(before) ? undefined : words(groups, before)),
    })),
    ...slashRules(language),
    ...monthNameRules(language),
  ];
}

/** Returns the rule for a day and month with a slash beside words of dates: "le 3/4", "on 12/24". */
function slashRules(language: Language): NormalizationRule[] {
  const { slash, monthFirst } = language.dates;
  if (slash === undefined) return [];
  const { before, beforeLate = '(?!)', to, of } = slash;
  const late = `(?:${beforeLate})(?= (?:1[3-9]|2\\d|3[01])/)`;
  const range = to === undefined ? '(?!)' : `(?:${before}) \\d{1,2}/\\d{1,2} (?:${to})`;
  return [
    {
      sign: '/',
      pattern: new RegExp(
        `(?=\\d)(?<=(?<!\\p{L})(?:${before}|${late}|${range}) )${DAY}(?<mark>/)(?<month>\\d{1,2})(?:/(?<year>\\d\\d))?${END}(?! (?:${of})[ '’]?\\p{L})`,
        'gu',
      ),
      words: (groups, text) => dateWords(monthFirst ? withMonthFirst(groups) : groups, text, language),
    },
  ];
}

/** The American order, for dates such as 11/21/2026; 21.11.2026 and 21/11/2026 begin with the day. */
function withMonthFirst(groups: Groups): Groups {
  const { day, month, mark } = groups;
  return mark === '.' || Number(day) > 12 ? groups : { ...groups, day: month, month: day };
}

function monthNameRules(language: Language): NormalizationRule[] {
  const { dayMonth, monthYear, yearWord } = language.dates;
  const numbers = monthNumbers(language);
  if (dayMonth === undefined || monthYear === undefined || numbers.size === 0) return [];
  const month = `(?<name>${Array.from(numbers.keys()).join('|')})(?!\\p{L})`;
  const words =
    (dayFirst: boolean): NormalizationRule['words'] =>
    ({ name = '', ...groups }, before) => {
      const date = toDate({ ...groups, month: String(numbers.get(name)) });
      return date && language.dates.date({ ...date, dayFirst, joint: groups['joint'] }, before);
    };
  const afterYear = yearWord === undefined ? '' : `(?:${yearWord})?`;
  const rules = [
    {
      pattern: `${START}${DAY}${dayMonth}${month}(?:\\.?${monthYear}${YEAR}${afterYear}${END})?`,
      words: words(true),
    },
  ];
  if (language.dates.monthFirst || language.dates.readsMonthFirst === true)
    rules.push({
      pattern: `(?<!\\p{L})(?!may|march|mar )${month}\\.?[ -]${DAY}(?:st|nd|rd|th)?(?:(?:, ?|[ -])${YEAR})?${END}`,
      words: words(false),
    });
  return rules.map(({ pattern, words: spoken }) => ({ pattern: new RegExp(pattern, 'gu'), words: spoken }));
}

/** Usual abbreviations that CLDR lacks. */
const MORE_MONTHS: Readonly<Record<string, string>> = { Sep: 'Sept', März: 'Mär' };

/** Returns the number of each month by its names, in the usual spellings. Longer names come first. */
function monthNumbers({ code }: Language): ReadonlyMap<string, number> {
  const { months, shortMonths } = localeData(code);
  const names = [months, shortMonths, shortMonths.map((name) => MORE_MONTHS[name] ?? name)].flatMap((list) =>
    list.flatMap((name, index) =>
      [name, name.toLowerCase(), name.toUpperCase()].map((spelling) => [spelling, index + 1] as const),
    ),
  );
  return new Map(
    names.filter(([name]) => /^\p{L}{3,}$/u.test(name)).sort(([one], [other]) => other.length - one.length),
  );
}

/** @param dayFirst Without it, the region decides. */
function dateWords(groups: Groups, before: string, language: Language, dayFirst?: true): string | undefined {
  const date = toDate(groups);
  return date && language.dates.date({ ...date, ...(dayFirst && { dayFirst }) }, before);
}

const CENTURY = 2000;
/** Years of two digits from here on are of the last century. */
const PIVOT = 70;

function fullYearOf(year: string): number {
  if (year.length !== 2) return Number(year);
  return Number(year) + (Number(year) < PIVOT ? CENTURY : CENTURY - 100);
}

/** Returns undefined for an invalid date, such as 2026-13-40.  */
function toDate({ year, month = '', day = '' }: Groups): CalendarDate | undefined {
  const fullYear = year === undefined ? undefined : fullYearOf(year);
  const date = { year: fullYear, month: Number(month), day: Number(day) };
  const days = new Date(Date.UTC(fullYear ?? CENTURY, date.month, 0)).getUTCDate();
  return date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= days ? date : undefined;
}

export { dateWords };
