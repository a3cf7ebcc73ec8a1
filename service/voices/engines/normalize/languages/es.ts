import type { ClockTime, Language, Noun, Series } from '../language.js';
import { monthNames } from '../month-names.js';
import { END, START } from '../numerals.js';
import { spellOut } from '../spell-out.js';

const plain = (value: number) => spellOut('es', '%spellout-numbering', value);
const months = monthNames('es');

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
    spacesThousands: false,
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
      m: noun('metro'),
      km: noun('kilómetro'),
      dm: noun('decímetro'),
      cm: noun('centímetro'),
      mm: noun('milímetro'),
      µm: noun('micrómetro'),
      g: noun('gramo'),
      t: noun('tonelada', 'toneladas', 'feminine'),
      l: noun('litro'),
      L: noun('litro'),
      s: noun('segundo'),
      min: noun('minuto'),
      h: noun('hora', 'horas', 'feminine'),
      W: noun('vatio'),
      Wh: noun('vatio hora', 'vatios hora'),
      V: noun('voltio'),
      VA: noun('voltiamperio'),
      A: noun('amperio'),
      Ah: noun('amperio hora', 'amperios hora'),
      Hz: noun('hercio'),
      Pa: noun('pascal', 'pascales'),
      bar: noun('bar', 'bares'),
      B: noun('byte'),
      bit: noun('bit'),
      J: noun('julio'),
      cal: noun('caloría', 'calorías', 'feminine'),
      Ω: noun('ohmio'),
      dB: noun('decibelio'),
      lx: noun('lux', 'lux'),
      lm: noun('lumen', 'lúmenes'),
      ppm: noun('parte por millón', 'partes por millón', 'feminine'),
      mph: noun('milla por hora', 'millas por hora', 'feminine'),
      '°C': noun('grado Celsius', 'grados Celsius'),
      '°F': noun('grado Fahrenheit', 'grados Fahrenheit'),
      '°': noun('grado'),
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
      CHF: { unit: noun('franco suizo', 'francos suizos'), cent: noun('céntimo') },
      JPY: { unit: noun('yen', 'yenes') },
      KRW: { unit: noun('won', 'wones') },
    },
    join: (units, cents) => `${units} con ${cents}`,
    scales: { millones: 'millones', millón: 'millón', 'mil millones': 'mil millones' },
  },
  dates: {
    date: ({ year, month, day }) => {
      const name = `${plain(day)} de ${months[month - 1]}`;
      return year === undefined ? name : `${name} de ${plain(year)}`;
    },
    monthFirst: false,
    shortDates: false,
    dayMonth: ' de ',
    monthYear: ' del? ',
  },
  times: { time, suffix: ' ?(?:h|horas)' },
  phones: {
    patterns: ['[6-9]\\d{2} \\d{3} \\d{3}', '[6-9]\\d{2}(?: \\d{2}){3}', '[6-9]\\d(?: \\d{3})(?: \\d{2}){2}'],
    pause: ', ',
    digit: plain,
  },
  forms: [
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

/** Higher ordinals are rarely spoken: a number with º is then a temperature. */
const MAX_ORDINAL = 20;

function ordinal(value: number, ending: string): string | undefined {
  if (value === 0 || value > MAX_ORDINAL) return undefined;
  const isFeminine = ending === 'ª' || ending.endsWith('a');
  const form = ending === 'er' ? 'masculine-adjective' : 'masculine';
  return spellOut('es', `%spellout-ordinal-${isFeminine ? 'feminine' : form}`, value);
}

function time({ hour, minute, second }: ClockTime): string {
  const hours = cardinal(hour, 'feminine');
  const isTwelveHours = hour >= 1 && hour <= 12;
  const minutes =
    minute === 0 && second === 0 ? (isTwelveHours ? ' en punto' : ' horas') : ` y ${plain(minute)}`;
  const seconds =
    second === 0 ? '' : ` con ${cardinal(second, 'masculine')} ${second === 1 ? 'segundo' : 'segundos'}`;
  return `${hours}${minutes}${seconds}`;
}
