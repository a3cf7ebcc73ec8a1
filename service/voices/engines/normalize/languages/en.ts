import type { ClockTime, Language, Noun } from '../language.js';
import { END, START } from '../numerals.js';
import { spellOut } from '../spell-out.js';
import { houseForms, streetForms } from './en-addresses.js';
import { englishForms, numberSign, rangeForms } from './en-forms.js';
import { localeData } from '../locale-data.js';
import { englishAbbreviations, englishElectronic, englishSigns } from './en-words.js';

const cardinal = (value: number) => spellOut('en', '%spellout-cardinal', value);
const ordinal = (value: number) => spellOut('en', '%spellout-ordinal', value);
const monthName = (month: number) => localeData('en').months[month - 1] ?? '';

function noun(one: string, other = `${one}s`): Noun {
  return { one, other, series: 'plain' };
}

/** Names of kings, queens and popes; after them, a Roman numeral is an ordinal. */
const RULERS =
  'Louis|Henry|Edward|George|Charles|William|James|Richard|Elizabeth|Mary|Philip|Catherine|Peter|Nicholas|Alexander|Frederick|Francis|Ferdinand|Benedict|Paul|Pius|Leo|Gregory|Clement|Innocent|Gustav|Christian|Harald|Olaf|Ramses|Napoleon|Wilhelm|Ludwig|Otto|Leopold|Margaret|Victor Emmanuel';
const capitalized = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** English: American date order, "point" before decimals, no "and" after hundreds. */
export const language: Language = {
  code: 'en',
  numbers: {
    cardinal,
    ordinal,
    decimal: '.',
    point: { '.': ' point ', ',': ' point ' },
    joinsDecimals: false,
    spacesThousands: false,
    equals: 'equals',
    minus: 'minus',
    plus: 'plus',
    space: ' ',
    range: (from, to) => `${from} to ${to}`,
    dot: 'point',
    addressDot: 'dot',
    year,
  },
  units: {
    prefixes: {
      k: 'kilo',
      K: 'kilo',
      M: 'mega',
      G: 'giga',
      T: 'tera',
      m: 'milli',
      c: 'centi',
      d: 'deci',
      h: 'hecto',
      µ: 'micro',
    },
    names: {
      kWh: noun('kilowatt hour'),
      mo: noun('month'),
      hr: noun('hour'),
      yr: noun('year'),
      lbs: noun('pound'),
      cc: noun('CC', 'CC'),
      t: noun('ton'),
      d: noun('day'),
      Wh: noun('watt hour'),
      VA: noun('volt ampere'),
      Ah: noun('ampere hour'),
      B: noun('byte'),
      bit: noun('bit'),
      dB: noun('decibel'),
      lm: noun('lumen', 'lumens'),
      '‰': noun('per mille', 'per mille'),
    },
    square: (name) => `square ${name}`,
    cube: (name) => `cubic ${name}`,
    per: (name) => `per ${name}`,
    afterMillion: (name) => name,
  },
  money: {
    currencies: {
      EUR: { unit: noun('euro'), cent: noun('cent') },
      USD: { unit: noun('dollar'), cent: noun('cent') },
      GBP: { unit: noun('pound'), cent: noun('penny', 'pence') },
      CHF: { unit: noun('Swiss franc'), cent: noun('centime') },
      JPY: { unit: noun('yen', 'yen') },
      KRW: { unit: noun('won', 'won') },
    },
    join: (units, cents) => `${units} and ${cents}`,
    scales: { thousand: 'thousand', million: 'million', billion: 'billion', trillion: 'trillion' },
    shortScales: {
      k: 'thousand',
      K: 'thousand',
      m: 'million',
      M: 'million',
      mn: 'million',
      b: 'billion',
      B: 'billion',
      bn: 'billion',
      tn: 'trillion',
    },
  },
  dates: {
    date: ({ year: ofYear, month, day, dayFirst }, before) => {
      if (dayFirst === true) {
        const dayName = `${/(?:^|[^\p{L}])the $/iu.test(before) ? '' : 'the '}${ordinal(day)} of ${monthName(month)}`;
        return ofYear === undefined ? dayName : `${dayName} ${year(ofYear)}`;
      }
      const name = `${monthName(month)} ${ordinal(day)}`;
      return ofYear === undefined ? name : `${name}, ${year(ofYear)}`;
    },
    monthFirst: true,
    shortDates: false,
    slash: {
      before:
        '[Oo]n|[Uu]ntil|[Dd]ue|[Ss]tarting|(?:Mon|Tues?|Wed|Wednes|Thu|Thurs|Fri|Sat|Satur|Sun)(?:day)?[.,]?|[Dd]ate:',
      to: 'to|through|and|until',
      of: 'of|the',
    },
    dayMonth: '(?:st|nd|rd|th)? (?:of )?',
    monthYear: ',? ',
  },
  times: { time },
  phones: {
    patterns: [
      '\\d{3}-\\d{2}-\\d{4}',
      '\\(\\d{3}\\)[ -]?\\d{3}[ -]\\d{4}',
      '(?:1[ -])?\\d{3}-\\d{3}-\\d{4}',
      '\\d{3}-\\d{4}',
    ],
    pause: ', ',
    digit: cardinal,
  },
  electronic: englishElectronic,
  abbreviations: englishAbbreviations,
  roman: {
    before: `(?:chapter|part|act|scene|section|volume|book|article|appendix|phase|${RULERS})(?! I,? (?!scene|and|of|is|to|was)\\p{L})|world war|type|class|grade|level`,
    words: (value, before) =>
      new RegExp(`^(?:${RULERS})$`, 'u').test(before)
        ? `the ${capitalized(ordinal(value))}`
        : cardinal(value),
  },
  signs: englishSigns,
  fraction: ({ whole, numerator, denominator }) => {
    if (denominator < 2) return undefined;
    const isHalf = denominator === 2 && numerator === 1;
    if (whole !== undefined && isHalf) return `${cardinal(Number(whole))} and a half`;
    const words = `${cardinal(numerator)} ${partName(denominator, numerator !== 1)}`;
    return whole === undefined ? words : `${cardinal(Number(whole))} and ${words}`;
  },
  names: [...streetForms, ...rangeForms, ...numberSign],
  forms: [
    ...houseForms,
    ...englishForms,
    {
      pattern: new RegExp(
        `${START}(?<value>\\d{1,4}) ?(?<era>A\\.?D|B\\.?C(?:\\.?E)?|C\\.?E)(?:\\.(?=,|\\s+\\p{Ll}))?(?![\\p{L}\\p{N}])`,
        'gu',
      ),
      words: ({ value, era = '' }) => `${shortYear(Number(value))} ${era.replaceAll('.', '')}`,
    },
    {
      // Not in a tag of markup, such as <prosody rate=.5>.
      pattern: /(?<![\p{L}\p{N}\p{Sc}.]|=-?)\.(?<digits>\d{1,12})(?![\p{L}\p{N}.])/gu,
      words: ({ digits = '' }) => `point ${Array.from(digits, (digit) => cardinal(Number(digit))).join(' ')}`,
    },
    {
      pattern: new RegExp(`${START}(?<decade>1[1-9]\\d0|20\\d0)['’]?s${END}`, 'gu'),
      words: ({ decade }) =>
        year(Number(decade))
          .replace(/y$/u, 'ies')
          .replace(/(?<=hundred|ten|thousand)$/u, 's'),
    },
  ],
};

/** Years before 1000 are read like house numbers: "three forty". */
function shortYear(value: number): string {
  const [hundreds, rest] = [Math.floor(value / 100), value % 100];
  return value >= 100 && value < 1000 && rest >= 10 ? `${cardinal(hundreds)} ${cardinal(rest)}` : year(value);
}

function partName(denominator: number, isPlural: boolean): string {
  if (denominator === 2) return isPlural ? 'halves' : 'half';
  const name = denominator === 4 ? 'quarter' : ordinal(denominator);
  return isPlural ? `${name}s` : name;
}

/** From 1100 to 2099, a year; the pairs of digits are also usual for amounts such as "fifteen hundred". */
function year(value: number): string {
  return value >= 1100 && value < 2100 ? spellOut('en', '%spellout-numbering-year', value) : cardinal(value);
}

function time({ hour, minute, second, half }: ClockTime): string {
  const seconds = second === 0 ? '' : ` and ${cardinal(second)} ${second === 1 ? 'second' : 'seconds'}`;
  return `${hourAndMinute(hour, minute, half)}${seconds}${half === undefined ? '' : ` ${half}`}`;
}

function hourAndMinute(hour: number, minute: number, half: string | undefined): string {
  if (minute > 0) return `${cardinal(hour)} ${minute < 10 ? 'oh ' : ''}${cardinal(minute)}`;
  if (half !== undefined) return cardinal(hour);
  if (hour % 24 === 0) return 'midnight';
  return hour <= 12 ? `${cardinal(hour)} o'clock` : `${cardinal(hour)} hundred`;
}
