import type { ClockTime, Language, Noun } from '../language.js';
import { END, START } from '../numerals.js';
import { HALF_OF_DAY, halfOf } from '../times.js';
import { spellOut } from '../spell-out.js';
import { monthNames } from '../month-names.js';

const cardinal = (value: number) => spellOut('en', '%spellout-cardinal', value);
const ordinal = (value: number) => spellOut('en', '%spellout-ordinal', value);
const months = monthNames('en');

function noun(one: string, other = `${one}s`): Noun {
  return { one, other, series: 'plain' };
}

/** English: American date order, "point" before decimals, no "and" after hundreds. */
export const english: Language = {
  code: 'en',
  numbers: {
    cardinal,
    ordinal,
    decimal: '.',
    point: { '.': ' point ', ',': ' point ' },
    joinsDecimals: false,
    spacesThousands: false,
    minus: 'minus',
    plus: 'plus',
    space: ' ',
    range: (from, to) => `${from} to ${to}`,
    dot: 'point',
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
      m: noun('meter'),
      g: noun('gram'),
      t: noun('ton'),
      l: noun('liter'),
      L: noun('liter'),
      s: noun('second'),
      min: noun('minute'),
      h: noun('hour'),
      W: noun('watt'),
      Wh: noun('watt hour'),
      V: noun('volt'),
      VA: noun('volt ampere'),
      A: noun('ampere'),
      Ah: noun('ampere hour'),
      Hz: noun('hertz', 'hertz'),
      Pa: noun('pascal'),
      bar: noun('bar'),
      B: noun('byte'),
      bit: noun('bit'),
      J: noun('joule'),
      cal: noun('calorie'),
      Ω: noun('ohm'),
      dB: noun('decibel'),
      lx: noun('lux', 'lux'),
      lm: noun('lumen', 'lumens'),
      ppm: noun('part per million', 'parts per million'),
      mph: noun('mile per hour', 'miles per hour'),
      mi: noun('mile'),
      ft: noun('foot', 'feet'),
      lb: noun('pound'),
      lbs: noun('pound'),
      oz: noun('ounce'),
      '°C': noun('degree Celsius', 'degrees Celsius'),
      '°F': noun('degree Fahrenheit', 'degrees Fahrenheit'),
      '°': noun('degree'),
      '%': noun('percent', 'percent'),
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
  },
  dates: {
    date: ({ year: ofYear, month, day }) => {
      const name = `${months[month - 1]} ${ordinal(day)}`;
      return ofYear === undefined ? name : `${name}, ${year(ofYear)}`;
    },
    monthFirst: true,
    shortDates: false,
    dayMonth: ' ',
    monthYear: ',? ',
  },
  times: { time },
  phones: {
    patterns: ['\\(\\d{3}\\) ?\\d{3}[ -]\\d{4}', '(?:1[ -])?\\d{3}-\\d{3}-\\d{4}', '\\d{3}-\\d{4}'],
    pause: ', ',
    digit: cardinal,
  },
  forms: [
    {
      pattern: new RegExp(`${START}(?<hour>1[0-2]|[1-9])${HALF_OF_DAY}`, 'gu'),
      words: ({ hour, half }) => `${cardinal(Number(hour))} ${halfOf(half)}`,
    },
    {
      pattern: new RegExp(`${START}(?<decade>1[1-9]\\d0|20[1-9]0)['’]?s${END}`, 'gu'),
      words: ({ decade }) =>
        year(Number(decade))
          .replace(/y$/u, 'ies')
          .replace(/(?<=hundred|ten)$/u, 's'),
    },
  ],
};

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
