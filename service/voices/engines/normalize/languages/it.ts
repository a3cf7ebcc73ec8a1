import type { ClockTime, Language, Noun, Series } from '../language.js';
import { localeData } from '../locale-data.js';
import { END, START } from '../numerals.js';
import { spellOut } from '../spell-out.js';

const plain = (value: number) => spellOut('it', '%spellout-numbering', value);
const monthName = (month: number) => localeData('it').months[month - 1] ?? '';

function noun(one: string, other = one, series: Series = 'masculine'): Noun {
  return { one, other, series };
}

/** Italian. */
export const italian: Language = {
  code: 'it',
  numbers: {
    cardinal,
    seriesBefore: (word) =>
      /^\p{Ll}{3,}a$/u.test(word) ? 'feminine' : /^\p{Ll}{3,}o$/u.test(word) ? 'masculine' : 'plain',
    ordinal: (value) => spellOut('it', '%spellout-ordinal-masculine', value),
    decimal: ',',
    point: { '.': ' virgola ', ',': ' virgola ' },
    joinsDecimals: true,
    spacesThousands: false,
    equals: 'uguale a',
    minus: 'meno',
    plus: 'più',
    space: ' ',
    join: (number, name) =>
      number.endsWith('una') && /^[aeiou]/u.test(name) ? `${number.slice(0, -1)}'${name}` : undefined,
    range: (from, to) => `da ${from} a ${to}`,
    dot: 'punto',
    year: plain,
  },
  units: {
    prefixes: {
      k: 'chilo',
      K: 'chilo',
      M: 'mega',
      G: 'giga',
      T: 'tera',
      m: 'milli',
      c: 'centi',
      d: 'deci',
      h: 'etto',
      µ: 'micro',
    },
    names: {
      t: noun('tonnellata', 'tonnellate', 'feminine'),
      Wh: noun('wattora'),
      VA: noun('voltampere'),
      Ah: noun('amperora'),
      B: noun('byte'),
      KB: noun('kilobyte'),
      bit: noun('bit'),
      dB: noun('decibel'),
      mph: noun('miglio orario', 'miglia orarie'),
      '%': { one: 'per cento', other: 'per cento', series: 'plain' },
      '‰': { one: 'per mille', other: 'per mille', series: 'plain' },
    },
    square: (name) => `${name} ${name.endsWith('i') ? 'quadrati' : 'quadrato'}`,
    cube: (name) => `${name} ${name.endsWith('i') ? 'cubi' : 'cubo'}`,
    per: (name) => (name === 'ora' ? "all'ora" : `al ${name}`),
    afterMillion: (name) => `di ${name}`,
  },
  money: {
    currencies: {
      EUR: { unit: noun('euro'), cent: noun('centesimo', 'centesimi') },
      USD: { unit: noun('dollaro', 'dollari'), cent: noun('centesimo', 'centesimi') },
      GBP: { unit: noun('sterlina', 'sterline', 'feminine'), cent: noun('penny', 'pence') },
      CHF: { unit: noun('franco svizzero', 'franchi svizzeri'), cent: noun('centesimo', 'centesimi') },
      JPY: { unit: noun('yen') },
      KRW: { unit: noun('won') },
    },
    join: (units, cents) => `${units} e ${cents}`,
    scales: { milioni: 'milioni', milione: 'milione', miliardi: 'miliardi', miliardo: 'miliardo' },
  },
  dates: {
    date: ({ year, month, day }) => {
      const name = `${day === 1 ? 'primo' : plain(day)} ${monthName(month)}`;
      return year === undefined ? name : `${name} ${plain(year)}`;
    },
    monthFirst: false,
    shortDates: false,
    dayMonth: '[°º]? ',
    monthYear: ' ',
  },
  times: { time, suffix: ' ?h' },
  phones: { patterns: ['3\\d{2}[ .-]\\d{3}[ .-]?\\d{4}', '3\\d{2} \\d{7}'], pause: ', ', digit: plain },
  electronic: {
    signs: {
      '@': 'chiocciola',
      '.': 'punto',
      '-': 'trattino',
      _: 'trattino basso',
      '/': 'barra',
      ':': 'due punti',
      '://': 'due punti barra barra',
      '&': 'e commerciale',
      '!': 'punto esclamativo',
    },
    words: { com: 'com', gov: 'gov', nvidia: 'nvidia', gmail: 'gmail', org: 'org', net: 'net' },
  },
  abbreviations: {
    'avv.': 'avvocato',
    'dip.': 'dipartimento',
    'sig.na': 'signorina',
    'sig.ra': 'signora',
    'sig.': 'signor',
    'Sig.': 'signor',
    'Sig.ra': 'signora',
    'p.za': 'piazza',
    'P.za': 'piazza',
    'dott.': 'dottor',
    'Dott.': 'dottor',
    'dott.ssa': 'dottoressa',
    'ing.': 'ingegner',
    'prof.': 'professor',
    'Prof.': 'professor',
    'ecc.': 'eccetera',
    'es.': 'esempio',
    'tel.': 'telefono',
    'n.': 'numero',
    'v.le': 'viale',
    'c.so': 'corso',
  },
  roman: { before: 'secolo|capitolo|volume|tomo', words: plain },
  fraction: ({ whole, numerator, denominator }) => {
    if (denominator < 2) return undefined;
    const part = denominator === 2 ? 'mezzo' : spellOut('it', '%spellout-ordinal-masculine', denominator);
    const words = `${cardinal(numerator, 'masculine')} ${numerator === 1 ? part : part.replace(/o$/u, 'i')}`;
    return whole === undefined ? words : `${plain(Number(whole))} e ${words}`;
  },
  forms: [
    {
      pattern: new RegExp(`${START}(?<value>\\d{1,4})(?<gender>[ºª])(?!\\s?[CF])${END}`, 'gu'),
      words: ({ value, gender }) => ordinal(Number(value), gender === 'ª'),
    },
  ],
};

/** Only "uno" has forms: "un metro", "una tonnellata". */
function cardinal(value: number, series: Series): string {
  return value === 1 && series !== 'plain'
    ? spellOut('it', `%spellout-cardinal-${series}`, value)
    : plain(value);
}

function ordinal(value: number, isFeminine: boolean): string | undefined {
  return value === 0
    ? undefined
    : spellOut('it', `%spellout-ordinal-${isFeminine ? 'feminine' : 'masculine'}`, value);
}

function time({ hour, minute, second }: ClockTime): string {
  if (hour % 24 === 0 && minute + second === 0) return 'mezzanotte';
  const hours = hour === 1 ? 'una' : plain(hour);
  const minutes = minute === 0 && second === 0 ? '' : ` e ${plain(minute)}`;
  const seconds =
    second === 0 ? '' : ` e ${cardinal(second, 'masculine')} ${second === 1 ? 'secondo' : 'secondi'}`;
  return `${hours}${minutes}${seconds}`;
}
