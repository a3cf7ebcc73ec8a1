import { type Facts, noun } from '../language-of.js';
import { START } from '../numerals.js';
import { spellOut } from '../spell-out.js';

const cardinal = (value: number) =>
  spellOut('ar', '%spellout-numbering', value)
    .replace(/ و /gu, ' و')
    .replace(/ما?ئ(?=ة|تا)/gu, 'مئ')
    .replace(/إثن/gu, 'اثن')
    .replace(/ألفين/gu, 'ألفان')
    // The number before "hundred" has no ending: "eight" is ثمان, not ثمانية.
    .replace(/(ثلاث|أربع|خمس|ست|سبع|ثمان|تسع)ي?ة(?= مئة)/gu, '$1');

/** The names of parts, for one, two and more. */
const PARTS: Readonly<Record<number, readonly [one: string, two: string, few: string]>> = {
  2: ['نصف', 'نصفان', 'أنصاف'],
  3: ['ثلث', 'ثلثين', 'أثلاث'],
  4: ['ربع', 'ربعين', 'أرباع'],
  5: ['خمس', 'خمسين', 'أخماس'],
  6: ['سدس', 'سدسين', 'أسداس'],
  7: ['سبع', 'سبعين', 'أسباع'],
  8: ['ثمن', 'ثمنين', 'أثمان'],
  9: ['تسع', 'تسعين', 'أتساع'],
  10: ['عشر', 'عشرين', 'أعشار'],
};
function fractionWords(numerator: number, denominator: number): string {
  const part = PARTS[denominator];
  if (part === undefined) return `${cardinal(numerator)} على ${cardinal(denominator)}`;
  if (numerator <= 2) return part[numerator === 1 ? 0 : 1];
  return numerator <= 10
    ? `${cardinal(numerator)} ${part[2]}`
    : `${cardinal(numerator)} على ${cardinal(denominator)}`;
}

const coin = (one: string) => ({ one: `=${one} واحد`, other: one, series: 'plain' as const });
const cents = { one: 'سنت', few: 'سنتات', other: 'سنت', series: 'plain' as const };

/** Decimals are parts of ten, hundred and so on. */
function withDecimals(whole: string, fraction: string): string | undefined {
  if (fraction.length > 4) return undefined;
  if (Number(fraction) === 0) return cardinal(Number(whole));
  const denominator = fraction.length === 4 ? 'عشرة آلاف' : cardinal(10 ** fraction.length);
  return `${cardinal(Number(whole))} و${cardinal(Number(fraction))} من ${denominator}`;
}

/** Arabic. */
export const arabic: Facts = {
  code: 'ar',
  script: '\\p{Script=Arabic}',
  numbers: {
    minus: 'سالب',
    plus: 'زائد',
    mark: 'فاصلة',
    to: 'إلى',
    dot: 'نقطة',
    cardinal,
    year: cardinal,
    decimals: withDecimals,
  },
  forms: [
    {
      pattern: new RegExp(`${START}[%٪](?<whole>\\d{1,9})(?:[.,](?<fraction>\\d{1,4}))?(?!\\p{N})`, 'gu'),
      words: ({ whole = '', fraction = '' }) => `${withDecimals(whole, fraction) ?? ''} في المائة`,
    },
  ],
  units: {
    by: 'في',
    names: { '%': noun('في المائة', 'في المائة', 'plain'), '٪': noun('في المائة', 'في المائة', 'plain') },
  },
  money: {
    join: (units, rest) => `${units} و${rest}`,
    units: {
      USD: coin('دولار'),
      EUR: coin('يورو'),
      GBP: coin('جنيه إسترليني'),
      KWD: noun('دينار كويتي', 'دينار كويتي', 'plain'),
      SAR: noun('ريال', 'ريال', 'plain'),
      AED: noun('درهم', 'درهم', 'plain'),
      EGP: noun('جنيه', 'جنيه', 'plain'),
    },
    cents: { USD: cents, EUR: cents },
    signs: { 'د.ك': 'KWD', 'ر.س': 'SAR', 'د.إ': 'AED', 'ج.م': 'EGP' },
    scales: { مليون: 'مليون', مليار: 'مليار', ألف: 'ألف' },
  },
  dates: {
    date: ({ year, month, day }) =>
      `${cardinal(day)} ${MONTHS[month - 1]}${year === undefined ? '' : ` ${cardinal(year)}`}`,
    dayMonth: ' ',
    monthYear: ' ',
  },
  phones: { patterns: [], pause: ', ' },
  fraction: ({ whole, numerator, denominator }) => {
    if (denominator < 2 || numerator === 0) return undefined;
    const part = fractionWords(numerator, denominator);
    return whole === undefined ? part : `${cardinal(Number(whole))} و ${part}`;
  },
};

const MONTHS = 'يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر'.split(' ');
