import type { Language, Noun, Series } from '../language.js';
import { localeData } from '../locale-data.js';
import { END, START } from '../numerals.js';
import { spellOut } from '../spell-out.js';
import { HALF_OF_DAY } from '../times.js';
import { clockTime } from './es-times.js';
import {
  spanishCardinal,
  decimals,
  fractionOf,
  fractionWords,
  MAX_ORDINAL,
  spanishOrdinal,
  ordinalOf,
  plainNumber,
  seriesBefore,
} from './es-numbers.js';
import { spanishAbbreviations, spanishElectronic, spanishSigns } from './es-words.js';

const monthName = (month: number) => localeData('es').months[month - 1] ?? '';

function noun(one: string, other = `${one}s`, series: Series = 'masculine'): Noun {
  return { one, other, series };
}

/** Spanish. The decimal mark is named as written: "coma" or "punto". */
export const language: Language = {
  code: 'es',
  numbers: {
    cardinal: spanishCardinal,
    seriesBefore,
    ordinal: (value) => spellOut('es', '%spellout-ordinal-masculine', value),
    decimal: ',',
    point: { '.': ' punto ', ',': ' coma ' },
    joinsDecimals: true,
    decimals,
    addressDot: 'punto',
    join: (number, name) =>
      number.endsWith(' uno') && name.endsWith('llones') ? `${number.slice(0, -1)} ${name}` : undefined,
    spacesThousands: true,
    equals: 'es igual a',
    minus: 'menos',
    plus: 'más',
    space: ' ',
    range: (from, to) => `${from} a ${to}`,
    dot: 'punto',
    year: plainNumber,
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
      kph: noun('kilómetro por hora', 'kilómetros por hora'),
      seg: noun('segundo'),
      '°c': noun('grado centígrado', 'grados centígrados'),
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
      ESP: { unit: noun('peseta', 'pesetas', 'feminine') },
      CHF: { unit: noun('franco suizo', 'francos suizos'), cent: noun('céntimo') },
      JPY: { unit: noun('yen', 'yenes') },
      KRW: { unit: noun('won', 'wones') },
    },
    join: (units, cents) => `${units} con ${cents}`,
    namesCodes: true,
    signs: { '₡': 'CRC', '₧': 'ESP', kr: 'SEK', us$: 'USD', r$: 'BRL', rs: 'INR' },
    scales: {
      billones: 'billones',
      billón: 'billón',
      millones: 'millones',
      millón: 'millón',
      'mil millones': 'mil millones',
    },
  },
  dates: {
    date: ({ year, month, day, joint = 'de' }) => {
      const name = `${day === 1 ? 'primero' : plainNumber(day)} de ${monthName(month)}`;
      return year === undefined ? name : `${name} ${joint} ${plainNumber(year)}`;
    },
    monthFirst: false,
    readsMonthFirst: true,
    shortDates: false,
    slash: {
      before:
        '[Ee]l|[Dd]el|[Dd]ía|[Hh]asta|[Ff]echa|(?:[Ll]une|[Mm]arte|[Mm]iércole|[Jj]ueve|[Vv]ierne)s|[Ss]ábado|[Dd]omingo',
      beforeLate: 'al|y|a|para',
      to: 'al|y el',
      of: 'de(?:l| la| los| las)?',
    },
    dayMonth: '(?: de)? ',
    monthYear: '(?: (?<joint>del?))? ',
  },
  times: {
    time: clockTime,
    separator: '(?:\\.(?=[0-5]\\d ?(?:h(?!\\p{L})|[ap]\\.?m))| ?h ?(?=[0-5]\\d))',
    suffix: `(?: ?(?:horas|h)(?!\\p{L})|${HALF_OF_DAY})`,
  },
  phones: {
    patterns: ['[6-9]\\d{2} \\d{3} \\d{3}', '[6-9]\\d{2}(?: \\d{2}){3}', '[6-9]\\d(?: \\d{3})(?: \\d{2}){2}'],
    pause: ', ',
    digit: plainNumber,
    country: (digits) =>
      digits.length < 3
        ? plainNumber(Number(digits))
        : Array.from(digits, (digit) => plainNumber(Number(digit))).join(' '),
  },
  electronic: spanishElectronic,
  abbreviations: spanishAbbreviations,
  roman: {
    before:
      'siglo|capítulo|año|tomo|volumen|papa|rey|Carlos|Felipe|Alfonso|Juan Pablo|Benedicto|Isabel|Fernando|Luis|Enrique|Jaime|Pedro|Sancho|Napoleón|Guillermo|Jorge|Eduardo|Pío|León',
    words: (value, before) =>
      value <= 10 && !/^(?:siglo|capítulo|año|tomo|volumen)$/iu.test(before)
        ? (spanishOrdinal(value, before === 'Isabel' ? 'ª' : 'º') ?? plainNumber(value))
        : plainNumber(value),
    // "el XX aniversario", "la II edición".
    after: {
      pattern:
        'aniversario|congreso|festival|encuentro|premio|concurso|torneo|campeonato|apóstol|edición|dinastía|conferencia|feria|legislatura|asamblea|cumbre|jornada|semana|república',
      words: (value, after) =>
        ordinalOf(value, /(?:a|ón|bre)$/u.test(after) ? 'ª' : 'º') ?? plainNumber(value),
    },
  },
  fraction: fractionWords,
  fractionOf,
  signs: spanishSigns,
  names: [
    { pattern: /(?<=\p{L}\.? )&(?= [Hh]?[Ii](?!e))/gu, words: () => 'e' },
    // "No. 5", but not "No. 5 personas".
    { pattern: /(?<![\p{L}\p{N}.])No\.(?= ?\d+(?!\p{N}|[.:,]\p{N}| \p{Ll}))/gu, words: () => 'número' },
  ],
  forms: [
    // "1 millón": before a noun, "uno" is short.
    {
      pattern: /(?<![\p{L}\p{N}.,])1 (?=(?:mi|bi|tri)llón(?!\p{L}))/gu,
      words: () => 'un ',
    },
    // "15 h 10 min y 40 s": the last part of a duration of three.
    {
      pattern: /(?<=\d ?h \d{1,2} ?min )(?=\d{1,2} ?(?:seg|s)(?!\p{L}))/gu,
      words: () => 'y ',
    },
    // "millones de €".
    { pattern: /(?<=(?:millón|millones|billón|billones) de )€(?!\p{N})/gu, words: () => 'euros' },
    {
      pattern: /(?<![\p{L}\p{N}.,:])0(?<hour>[1-9]) h(?![\p{L}\p{N}])/gu,
      words: ({ hour }) => spanishCardinal(Number(hour), 'feminine'),
    },
    // "2 1/2 horas".
    {
      pattern:
        /(?<![\p{L}\p{N}.,/])(?:(?<whole>[1-9]\d{0,3}) )?(?<text>\d{1,3}\/\d{1,3}) (?<noun>\p{Ll}{4,20})(?!\p{L})/gu,
      words: ({ whole, text = '', noun = '' }) => {
        const [numerator = 0, denominator = 0] = text.split('/').map(Number);
        return numerator === 1 && denominator === 2
          ? fractionOf(
              { whole, numerator, denominator },
              { one: noun, other: noun, series: seriesBefore(noun) },
            )
          : undefined;
      },
    },
    {
      pattern: new RegExp(
        `${START}(?<value>\\d{1,3}(?:[. ]?\\d{3})?)(?<point>\\.?)(?<ending>º|ª|ᵉʳ)(?!\\s?[CF])(?![\\p{L}\\p{N}])`,
        'gu',
      ),
      words: ({ value = '', point = '', ending = '' }) => {
        const number = Number(value.replace(/\D/gu, ''));
        return point === '' && number > MAX_ORDINAL && ending !== 'ª'
          ? undefined
          : ordinalOf(number, ending === 'ᵉʳ' ? 'er' : ending);
      },
    },
    {
      pattern: new RegExp(
        `${START}(?<value>\\d{1,2})\\.?(?<ending>[ºª]|er|ro|do|ra|da|to|ta)(?!\\s?[CF])${END}`,
        'gu',
      ),
      words: ({ value, ending = '' }) => spanishOrdinal(Number(value), ending),
    },
  ],
};
