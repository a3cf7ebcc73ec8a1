import type { ClockTime, Language, Noun, Series } from '../language.js';
import { monthNames } from '../month-names.js';
import { END, START } from '../numerals.js';
import { spellOut } from '../spell-out.js';

const plain = (value: number) => spellOut('fr', '%spellout-numbering', value);
const months = monthNames('fr');

function noun(one: string, other = `${one}s`, series: Series = 'masculine'): Noun {
  return { one, other, series };
}

/** French. A plain space separates thousands: 1 234,50. */
export const french: Language = {
  code: 'fr',
  numbers: {
    cardinal,
    ordinal: (value) => spellOut('fr', '%spellout-ordinal-masculine', value),
    decimal: ',',
    point: { '.': ' virgule ', ',': ' virgule ' },
    joinsDecimals: true,
    spacesThousands: true,
    minus: 'moins',
    plus: 'plus',
    space: ' ',
    range: (from, to) => `${from} à ${to}`,
    dot: 'point',
    year: plain,
  },
  units: {
    prefixes: {
      k: 'kilo',
      K: 'kilo',
      M: 'méga',
      G: 'giga',
      T: 'téra',
      m: 'milli',
      c: 'centi',
      d: 'déci',
      h: 'hecto',
      µ: 'micro',
    },
    names: {
      m: noun('mètre'),
      g: noun('gramme'),
      t: noun('tonne', 'tonnes', 'feminine'),
      l: noun('litre'),
      L: noun('litre'),
      s: noun('seconde', 'secondes', 'feminine'),
      min: noun('minute', 'minutes', 'feminine'),
      h: noun('heure', 'heures', 'feminine'),
      W: noun('watt'),
      Wh: noun('wattheure'),
      V: noun('volt'),
      VA: noun('voltampère'),
      A: noun('ampère'),
      Ah: noun('ampère-heure', 'ampères-heures'),
      Hz: noun('hertz', 'hertz'),
      Pa: noun('pascal'),
      bar: noun('bar'),
      B: noun('octet'),
      o: noun('octet'),
      bit: noun('bit'),
      J: noun('joule'),
      cal: noun('calorie', 'calories', 'feminine'),
      Ω: noun('ohm'),
      dB: noun('décibel'),
      lx: noun('lux', 'lux'),
      lm: noun('lumen'),
      ppm: noun('partie par million', 'parties par million', 'feminine'),
      mph: noun('mile par heure', 'miles par heure'),
      '°C': noun('degré Celsius', 'degrés Celsius'),
      '°F': noun('degré Fahrenheit', 'degrés Fahrenheit'),
      '°': noun('degré'),
      '%': noun('pour cent', 'pour cent'),
      '‰': noun('pour mille', 'pour mille'),
    },
    square: (name) => `${name} ${name.endsWith('s') ? 'carrés' : 'carré'}`,
    cube: (name) => `${name} ${name.endsWith('s') ? 'cubes' : 'cube'}`,
    per: (name) => `par ${name}`,
    afterMillion: (name) => (/^[aeiouéh]/u.test(name) ? `d'${name}` : `de ${name}`),
  },
  money: {
    currencies: {
      EUR: { unit: noun('euro'), cent: noun('centime') },
      USD: { unit: noun('dollar'), cent: noun('cent') },
      GBP: { unit: noun('livre sterling', 'livres sterling', 'feminine'), cent: noun('penny', 'pence') },
      CHF: { unit: noun('franc suisse', 'francs suisses'), cent: noun('centime') },
      JPY: { unit: noun('yen') },
      KRW: { unit: noun('won') },
    },
    join: (units, cents) => `${units} et ${cents}`,
    scales: { millions: 'millions', million: 'million', milliards: 'milliards', milliard: 'milliard' },
  },
  dates: {
    date: ({ year, month, day }) => {
      const name = `${day === 1 ? 'premier' : plain(day)} ${months[month - 1]}`;
      return year === undefined ? name : `${name} ${plain(year)}`;
    },
    monthFirst: false,
    shortDates: false,
    dayMonth: '(?:er)? ',
    monthYear: ' ',
  },
  times: { time, separator: '\\s?h\\s?', suffix: '\\s?h(?:eures)?' },
  phones: { patterns: ['0\\d(?:[ .-]?\\d\\d){4}'], pause: ', ', digit: plain, group: pairWords },
  forms: [
    {
      pattern: new RegExp(`${START}(?<value>\\d{1,4})(?<ending>er|re|ère|e|è|ème|ième|nde?)s?${END}`, 'gu'),
      words: ({ value, ending = '' }) => ordinal(Number(value), ending),
    },
  ],
};

function cardinal(value: number, series: Series): string {
  return spellOut(
    'fr',
    series === 'feminine' ? '%spellout-cardinal-feminine' : '%spellout-cardinal-masculine',
    value,
  );
}

function ordinal(value: number, ending: string): string | undefined {
  if (value === 0) return undefined;
  if (value === 2 && ending.startsWith('nd')) return ending === 'nde' ? 'seconde' : 'second';
  return spellOut('fr', `%spellout-ordinal-${/r[eè]|ère/u.test(ending) ? 'feminine' : 'masculine'}`, value);
}

/** Telephone numbers are read in pairs: "zéro six, douze". */
function pairWords(digits: string): string | undefined {
  if (digits.length !== 2) return undefined;
  return digits.startsWith('0') ? `zéro ${plain(Number(digits))}` : plain(Number(digits));
}

function time({ hour, minute, second }: ClockTime): string {
  const hours = `${cardinal(hour, 'feminine')} ${hour < 2 ? 'heure' : 'heures'}`;
  const minutes = minute === 0 && second === 0 ? '' : ` ${plain(minute)}`;
  const seconds =
    second === 0 ? '' : ` et ${cardinal(second, 'feminine')} ${second === 1 ? 'seconde' : 'secondes'}`;
  return `${hours}${minutes}${seconds}`;
}
