import type { ClockTime } from '../language.js';
import { type Facts, noun } from '../language-of.js';
import { START } from '../numerals.js';
import { arabicCardinal, cardinalOf, counted, oblique, arabicOrdinal } from './ar-numbers.js';

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
  if (part === undefined) return `${arabicCardinal(numerator)} على ${arabicCardinal(denominator)}`;
  if (numerator <= 2) return part[numerator === 1 ? 0 : 1];
  return numerator <= 10
    ? `${arabicCardinal(numerator)} ${part[2]}`
    : `${arabicCardinal(numerator)} على ${arabicCardinal(denominator)}`;
}

const coin = (one: string) => ({ one: `=${one} واحد`, other: one, series: 'plain' as const });
const cents = { one: 'سنت', few: 'سنتات', other: 'سنت', series: 'plain' as const };

/** Decimals are parts of ten, hundred and so on. */
function withDecimals(whole: string, fraction: string): string | undefined {
  if (fraction.length > 4) return undefined;
  if (Number(fraction) === 0) return arabicCardinal(Number(whole));
  const denominator = fraction.length === 4 ? 'عشرة آلاف' : arabicCardinal(10 ** fraction.length);
  return `${arabicCardinal(Number(whole))} و${arabicCardinal(Number(fraction))} من ${denominator}`;
}

/** Feminine nouns: by the ending, and frequent plurals without it. */
const FEMININE =
  /^(?!ملايين|ريالات|دولارات|جنيهات|دينارات|إشعارات|تنبيهات|كيلومترات|مترات|غرامات|سنتات|ملفات|خيارات|قرارات|اجتماعات|أسابيع|آلاف).*(?:ة|ات)$|^(?:نوافذ|دقائق|ثوان|ثواني|ثوانٍ|رسائل|غرف|ليال|ليالي|مدن|مرات|صور|درج|نسخ|شاشات|أبراج|قطع)$/u;

/** Hours are feminine ordinals. */
function time({ hour, minute, second }: ClockTime): string {
  if (hour % 24 === 0 && minute + second === 0) return 'منتصف الليل';
  const name = hour === 1 ? 'الواحدة' : oblique(arabicOrdinal(hour % 24 === 0 ? 12 : hour, true) ?? '');
  const part = second === 0 ? { 15: 'الربع', 30: 'النصف' }[minute] : undefined;
  return [
    name,
    ...(minute === 0 ? [] : [`و${part ?? counted(minute, ['دقيقة', 'دقيقتان', 'دقائق'])}`]),
    ...(second === 0 ? [] : [`و${counted(second, ['ثانية', 'ثانيتان', 'ثوانٍ'])}`]),
  ].join(' ');
}

/** Arabic. */
export const facts: Facts = {
  code: 'ar',
  script: '\\p{Script=Arabic}',
  numbers: {
    minus: 'سالب',
    plus: 'زائد',
    mark: 'فاصلة',
    to: 'إلى',
    dot: 'نقطة',
    cardinal: cardinalOf,
    seriesBefore: (word) => (FEMININE.test(word) ? 'feminine' : 'plain'),
    equals: 'يساوي',
    year: arabicCardinal,
    decimals: withDecimals,
  },
  signs: {
    and: 'و',
    hashtag: 'هاشتاغ',
    times: 'ضرب',
    divided: 'تقسيم',
    less: 'ناقص',
    plusMinus: 'زائد أو ناقص',
    by: 'في',
    score: '',
    codes: {
      before:
        'الرمز(?: البريدي)?|رمزك|رقم (?:العميل|الحساب|الطلب|العقد|الفاتورة)|الرقم (?:التسلسلي|السري)|كلمة المرور|اتصل على|الغرفة',
      link: 'هو|هي',
    },
  },
  electronic: {
    spelledNames: false,
    signs: {
      '@': 'آت',
      '.': 'نقطة',
      '-': 'شرطة',
      _: 'شرطة سفلية',
      '/': 'شرطة مائلة',
      ':': 'نقطتان',
      '://': 'نقطتان شرطة مائلة شرطة مائلة',
    },
    words: {},
  },
  abbreviations: {
    'أ.د.': 'الأستاذ الدكتور',
    'ق.م.': 'قبل الميلاد',
    'ق.م': 'قبل الميلاد',
    هـ: 'للهجرة',
  },
  names: [
    { pattern: /(?<!\p{L}|\p{N} ?|\.)د\. (?=\p{L})/gu, words: () => 'الدكتور ' },
    { pattern: /(?<!\p{L}|\p{N} ?|\.)م\. (?=\p{L})/gu, words: () => 'المهندس ' },
  ],
  forms: [
    // "الـ10": an ordinal, in the gender of the noun before it.
    {
      pattern: /(?<=(?<noun>\p{L}{2,20}) )الـ(?<value>[1-9]\d?)(?!\p{N})/gu,
      words: ({ noun = '', value }) => arabicOrdinal(Number(value), noun.endsWith('ة')),
    },
    // A year is in the genitive after these words.
    {
      pattern: /(?<=(?<!\p{L})(?:عام|سنة) )(?<value>[1-9]\d{0,3})(?![\p{L}\p{N}]|[.,]\p{N})/gu,
      words: ({ value }) => oblique(arabicCardinal(Number(value))),
    },
    // "2/3" before a definite noun loses its last letter.
    { pattern: /(?<![\p{L}\p{N}.,/]|\p{N} )2\/3(?= ال)/gu, words: () => 'ثلثي' },
    {
      pattern: new RegExp(`${START}[%٪](?<whole>\\d{1,9})(?:[.,](?<fraction>\\d{1,4}))?(?!\\p{N})`, 'gu'),
      words: ({ whole = '', fraction = '' }) => `${withDecimals(whole, fraction) ?? ''} في المائة`,
    },
  ],
  units: {
    by: 'في',
    series: { '°': 'feminine', '°C': 'feminine', h: 'feminine', min: 'feminine', s: 'feminine' },
    names: {
      kWh: noun('كيلوواط ساعة', 'كيلوواط ساعة', 'plain'),
      '°م': noun('درجة مئوية', 'درجة مئوية', 'plain'),
      '%': noun('في المائة', 'في المائة', 'plain'),
      '٪': noun('في المائة', 'في المائة', 'plain'),
    },
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
      `${oblique(arabicOrdinal(day, false) ?? '')} من ${MONTHS[month - 1]}${year === undefined ? '' : ` عام ${oblique(arabicCardinal(year))}`}`,
    dayMonth: ' ',
    monthYear: ' ',
  },
  times: { time },
  phones: { patterns: [], pause: ', ' },
  fraction: ({ whole, numerator, denominator }) => {
    if (denominator < 2 || numerator === 0) return undefined;
    const part = fractionWords(numerator, denominator);
    return whole === undefined ? part : `${arabicCardinal(Number(whole))} و ${part}`;
  },
};

const MONTHS = 'يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر'.split(' ');
