import type { ClockTime, FractionParts, Language, Noun, Series } from '../language.js';
import { localeData } from '../locale-data.js';
import { END, START } from '../numerals.js';
import { spellOut } from '../spell-out.js';
import { HALF_OF_DAY } from '../times.js';

const plain = (value: number) => spellOut('es', '%spellout-numbering', value);
const monthName = (month: number) => localeData('es').months[month - 1] ?? '';

function noun(one: string, other = `${one}s`, series: Series = 'masculine'): Noun {
  return { one, other, series };
}

/** Spanish. The decimal mark is named as written: "coma" or "punto". */
export const spanish: Language = {
  code: 'es',
  numbers: {
    cardinal,
    seriesBefore,
    ordinal: (value) => spellOut('es', '%spellout-ordinal-masculine', value),
    decimal: ',',
    point: { '.': ' punto ', ',': ' coma ' },
    joinsDecimals: true,
    spacesThousands: true,
    equals: 'es igual a',
    minus: 'menos',
    plus: 'más',
    space: ' ',
    range: (from, to) => `${from} a ${to}`,
    dot: 'punto',
    year: plain,
  },
  units: {
    prefixes: {
      k: 'kilo',
      K: 'kilo',
      M: 'mega',
      G: 'giga',
      T: 'tera',
      m: 'mili',
      c: 'centi',
      d: 'deci',
      h: 'hecto',
      µ: 'micro',
    },
    names: {
      Wh: noun('vatio hora', 'vatios hora'),
      VA: noun('voltiamperio'),
      Ah: noun('amperio hora', 'amperios hora'),
      B: noun('byte'),
      bit: noun('bit'),
      dB: noun('decibelio'),
      lx: noun('lux', 'lux'),
      '%': { one: 'por ciento', other: 'por ciento', series: 'plain' },
      '‰': { one: 'por mil', other: 'por mil', series: 'plain' },
    },
    square: (name) => `${name} ${name.endsWith('s') ? 'cuadrados' : 'cuadrado'}`,
    cube: (name) => `${name} ${name.endsWith('s') ? 'cúbicos' : 'cúbico'}`,
    per: (name) => `por ${name}`,
    afterMillion: (name) => `de ${name}`,
  },
  money: {
    currencies: {
      EUR: { unit: noun('euro'), cent: noun('céntimo') },
      USD: { unit: noun('dólar', 'dólares'), cent: noun('centavo') },
      GBP: { unit: noun('libra', 'libras', 'feminine'), cent: noun('penique') },
      SEK: { unit: noun('corona', 'coronas', 'feminine') },
      BRL: { unit: noun('real', 'reales'), cent: noun('centavo') },
      INR: { unit: noun('rupia', 'rupias', 'feminine') },
      CRC: { unit: noun('colón', 'colones') },
      CHF: { unit: noun('franco suizo', 'francos suizos'), cent: noun('céntimo') },
      JPY: { unit: noun('yen', 'yenes') },
      KRW: { unit: noun('won', 'wones') },
    },
    join: (units, cents) => `${units} con ${cents}`,
    signs: { '₡': 'CRC', kr: 'SEK', us$: 'USD', r$: 'BRL', rs: 'INR' },
    scales: {
      billones: 'billones',
      billón: 'billón',
      millones: 'millones',
      millón: 'millón',
      'mil millones': 'mil millones',
    },
  },
  dates: {
    date: ({ year, month, day }) => {
      const name = `${plain(day)} de ${monthName(month)}`;
      return year === undefined ? name : `${name} de ${plain(year)}`;
    },
    monthFirst: false,
    readsMonthFirst: true,
    shortDates: false,
    dayMonth: '(?: de)? ',
    monthYear: '(?: del?)? ',
  },
  times: {
    time,
    separator: '(?:\\.(?=[0-5]\\d ?(?:h(?!\\p{L})|[ap]\\.?m))| ?h ?(?=[0-5]\\d))',
    suffix: `(?: ?(?:horas|h)(?!\\p{L})|${HALF_OF_DAY})`,
  },
  phones: {
    patterns: ['[6-9]\\d{2} \\d{3} \\d{3}', '[6-9]\\d{2}(?: \\d{2}){3}', '[6-9]\\d(?: \\d{3})(?: \\d{2}){2}'],
    pause: ', ',
    digit: plain,
  },
  electronic: {
    signs: {
      '@': 'arroba',
      '.': 'punto',
      '-': 'guion',
      _: 'guion bajo',
      '/': 'barra',
      ':': 'dos puntos',
      '://': 'dos puntos barra barra',
      '&': 'et',
    },
    words: { com: 'com', gmail: 'gmail', nvidia: 'nvidia', net: 'net' },
  },
  abbreviations: {
    est: 'e s t',
    pst: 'p s t',
    'Dr.': 'doctor',
    'Dra.': 'doctora',
    'dr.': 'doctor',
    'dra.': 'doctora',
    'Sr.': 'señor',
    'Sra.': 'señora',
    'Srta.': 'señorita',
    'sr.': 'señor',
    'sra.': 'señora',
    'Da.': 'doña',
    'EE. UU.': 'Estados Unidos',
    'EE.UU.': 'Estados Unidos',
    'ee. uu.': 'Estados Unidos',
    'p. ej.': 'por ejemplo',
    'etc.': 'etcétera',
    'núm.': 'número',
    'n.º': 'número',
    'Av.': 'avenida',
    'C/': 'calle',
    'tel.': 'teléfono',
    'ext.': 'extensión',
    'c.º': 'camino',
  },
  roman: {
    before:
      'siglo|capítulo|año|tomo|volumen|papa|rey|Carlos|Felipe|Alfonso|Juan Pablo|Benedicto|Isabel|Fernando',
    words: (value, before) =>
      value <= 10 && /^(?:papa|rey|Carlos|Felipe|Alfonso|Juan Pablo|Fernando)$/iu.test(before)
        ? (ordinal(value, 'º') ?? plain(value))
        : plain(value),
  },
  fraction: fractionWords,
  forms: [
    {
      pattern: new RegExp(
        `${START}(?<value>\\d{1,3}(?:[. ]?\\d{3})?)(?<point>\\.?)(?<ending>º|ª|ᵉʳ)(?!\\s?[CF])(?![\\p{L}\\p{N}])`,
        'gu',
      ),
      words: ({ value = '', point = '', ending = '' }) => {
        const number = Number(value.replace(/\D/gu, ''));
        return point === '' && number > MAX_ORDINAL
          ? undefined
          : ordinalOf(number, ending === 'ᵉʳ' ? 'er' : ending);
      },
    },
    {
      pattern: new RegExp(
        `${START}(?<value>\\d{1,2})\\.?(?<ending>[ºª]|er|ro|do|ra|da|to|ta)(?!\\s?[CF])${END}`,
        'gu',
      ),
      words: ({ value, ending = '' }) => ordinal(Number(value), ending),
    },
  ],
};

function cardinal(value: number, series: Series): string {
  return series === 'plain' ? plain(value) : spellOut('es', `%spellout-cardinal-${series}`, value);
}

/** Words that are not counted, and end like nouns. */
const NOT_COUNTED =
  /^(?:de|del|y|e|o|u|a|al|en|por|para|con|sin|que|la|las|el|los|se|es|son|más|menos|hasta|como)$/u;

const MASCULINE = /^(?:días?|mapas?|planetas?|(?:proble|progra|siste|te|idio|esque)mas?)$/u;

/** Guesses the gender of a noun by its ending. */
function seriesBefore(word: string): Series {
  if (!/^\p{Ll}{3,}$/u.test(word) || NOT_COUNTED.test(word)) return 'plain';
  const isFeminine = !MASCULINE.test(word) && /(?:as?|(?<=[pstx])i(?:ón|ones)|dad(?:es)?)$/u.test(word);
  return isFeminine ? 'feminine' : 'masculine';
}

/** The parts from eleven on end in "-avo"; the hundreds and thousands are ordinals. */
function fractionWords({ whole, numerator, denominator }: FractionParts): string | undefined {
  if (denominator < 2) return undefined;
  const [count, ending] = [cardinal(numerator, 'masculine'), numerator === 1 ? '' : 's'];
  const part = partOf(denominator);
  const words =
    part === undefined ? `${plain(numerator)} sobre ${plain(denominator)}` : `${count} ${part}${ending}`;
  if (whole === undefined) return words;
  return `${plain(Number(whole))} y ${denominator === 2 && numerator === 1 ? 'medio' : words}`;
}

function partOf(denominator: number): string | undefined {
  if (denominator <= 3) return denominator === 2 ? 'medio' : 'tercio';
  if (
    denominator <= 10 ||
    denominator === 100 ||
    (denominator % 100 === 0 && denominator <= 1000) ||
    [2000, 10000, 1000000].includes(denominator)
  )
    return spellOut('es', '%spellout-ordinal-masculine', denominator);
  if (denominator > 99) return undefined;
  const words = plain(denominator).replace(/ y /u, 'i').replace(/uno$/u, 'un').replace(/a$/u, '');
  return `${words
    .normalize('NFD')
    .replace(/\u0301/gu, '')
    .normalize('NFC')}avo`;
}

/** Higher ordinals are rarely spoken: a number with º is then a temperature. */
const MAX_ORDINAL = 20;

function ordinal(value: number, ending: string): string | undefined {
  return value > MAX_ORDINAL ? undefined : ordinalOf(value, ending);
}

function ordinalOf(value: number, ending: string): string | undefined {
  if (value === 0) return undefined;
  const isFeminine = ending === 'ª' || ending.endsWith('a');
  const form = ending === 'er' ? 'masculine-adjective' : 'masculine';
  return spellOut('es', `%spellout-ordinal-${isFeminine ? 'feminine' : form}`, value);
}

/** The part of the day of a time with a.m. or p.m. */
function partOfDay(hour: number, half: ClockTime['half']): string {
  if (half === undefined) return '';
  if (half === 'AM') return ' de la mañana';
  return hour % 12 >= 8 ? ' de la noche' : ' de la tarde';
}

function time({ hour, minute, second, half }: ClockTime): string {
  const hours = cardinal(hour, 'feminine');
  const isTwelveHours = hour >= 1 && hour <= 12;
  const minutes = minute === 0 && second === 0 ? (isTwelveHours ? '' : ' horas') : ` y ${plain(minute)}`;
  const seconds =
    second === 0 ? '' : ` con ${cardinal(second, 'masculine')} ${second === 1 ? 'segundo' : 'segundos'}`;
  return `${hours}${minutes}${seconds}${partOfDay(hour, half)}`;
}
