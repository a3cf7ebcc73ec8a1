import type { CalendarDate, ClockTime, Language, Noun, Series } from '../language.js';
import { monthNames } from '../month-names.js';
import { START } from '../numerals.js';
import { spellOut } from '../spell-out.js';

const plain = (value: number) => spellOut('de', '%spellout-numbering', value);
const ordinal = (value: number) => spellOut('de', '%spellout-ordinal', value);
const months = monthNames('de');

/** Words before an ordinal that give it the ending -n, and the ending -e. */
const OBLIQUE =
  /(?:^|[^\p{L}])(?:am|vom|zum|dem|den|des|beim|im|seit|ab|bis|nach|vor|zur|einem|einer|jedem|jeden|diesem|diesen)(?: \p{L}+,)? $/iu;
const DEFINITE = /(?:^|[^\p{L}])(?:der|die|das|jede|diese) $/iu;

function noun(one: string, other = one, series: Series = 'masculine'): Noun {
  return { one, other, series };
}

/** German. Neuter nouns have the same number words as masculine ones. */
export const german: Language = {
  code: 'de',
  numbers: {
    cardinal,
    pointMarksOrdinals: true,
    seriesBefore,
    ordinal,
    decimal: ',',
    point: { '.': ' Komma ', ',': ' Komma ' },
    joinsDecimals: false,
    spacesThousands: false,
    minus: 'minus',
    plus: 'plus',
    space: ' ',
    range: (from, to) => `${from} bis ${to}`,
    dot: 'Punkt',
    year,
  },
  units: {
    prefixes: {
      k: 'Kilo',
      K: 'Kilo',
      M: 'Mega',
      G: 'Giga',
      T: 'Tera',
      m: 'Milli',
      c: 'Zenti',
      d: 'Dezi',
      h: 'Hekto',
      µ: 'Mikro',
    },
    names: {
      m: noun('Meter'),
      g: noun('Gramm'),
      t: noun('Tonne', 'Tonnen', 'feminine'),
      l: noun('Liter'),
      L: noun('Liter'),
      s: noun('Sekunde', 'Sekunden', 'feminine'),
      min: noun('Minute', 'Minuten', 'feminine'),
      h: noun('Stunde', 'Stunden', 'feminine'),
      W: noun('Watt'),
      Wh: noun('Wattstunde', 'Wattstunden', 'feminine'),
      V: noun('Volt'),
      VA: noun('Voltampere'),
      A: noun('Ampere'),
      Ah: noun('Amperestunde', 'Amperestunden', 'feminine'),
      Hz: noun('Hertz'),
      Pa: noun('Pascal'),
      bar: noun('Bar'),
      B: noun('Byte'),
      bit: noun('Bit'),
      J: noun('Joule'),
      cal: noun('Kalorie', 'Kalorien', 'feminine'),
      Ω: noun('Ohm'),
      dB: noun('Dezibel'),
      lx: noun('Lux'),
      lm: noun('Lumen'),
      ppm: noun('Teil pro Million', 'Teile pro Million'),
      mph: noun('Meile pro Stunde', 'Meilen pro Stunde', 'feminine'),
      qm: noun('Quadratmeter'),
      Uhr: noun('Uhr'),
      '°C': noun('Grad Celsius'),
      '°F': noun('Grad Fahrenheit'),
      '°': noun('Grad'),
      '%': noun('Prozent'),
      '‰': noun('Promille'),
    },
    square: (name) => `Quadrat${name.toLowerCase()}`,
    cube: (name) => `Kubik${name.toLowerCase()}`,
    per: (name) => `pro ${name}`,
    afterMillion: (name) => name,
  },
  money: {
    currencies: {
      EUR: { unit: noun('Euro'), cent: noun('Cent') },
      USD: { unit: noun('Dollar'), cent: noun('Cent') },
      GBP: { unit: noun('Pfund'), cent: noun('Penny', 'Pence') },
      CHF: { unit: noun('Schweizer Franken'), cent: noun('Rappen') },
      JPY: { unit: noun('Yen') },
      KRW: { unit: noun('Won') },
    },
    join: (units, cents) => `${units} und ${cents}`,
    scales: {
      Tausend: 'tausend',
      Millionen: 'Millionen',
      Million: 'Million',
      'Mio.': 'Millionen',
      Mio: 'Millionen',
      Milliarden: 'Milliarden',
      Milliarde: 'Milliarde',
      'Mrd.': 'Milliarden',
      Mrd: 'Milliarden',
    },
  },
  dates: { date, monthFirst: false, shortDates: true, dayMonth: '\\.? ', monthYear: ' ' },
  times: { time, separator: '\\.(?=[0-5]\\d Uhr)', suffix: ' Uhr' },
  phones: { patterns: [], pause: ', ', digit: plain },
  forms: [
    {
      pattern: new RegExp(`${START}(?<value>\\d{1,3})\\.(?= \\p{Lu}\\p{Ll})`, 'gu'),
      words: ({ value }, before) => {
        const ending = endingAfter(before);
        return ending === 'r' ? undefined : `${ordinal(Number(value))}${ending}`;
      },
    },
  ],
};

function cardinal(value: number, series: Series): string {
  return series === 'plain' ? plain(value) : spellOut('de', `%spellout-cardinal-${series}`, value);
}

/** Frequent feminine nouns without a feminine ending. */
const FEMININE = ['Person', 'Nachricht', 'Tür', 'Frau', 'Nacht', 'Hand', 'Zahl', 'Fahrt', 'Milliarde'];

/** Guesses the gender of a noun by its ending: "eine Lampe", "ein Fenster". */
function seriesBefore(word: string): Series {
  if (!/^\p{Lu}\p{Ll}{2,}$/u.test(word)) return 'plain';
  return FEMININE.includes(word) || /(?:e|ung|heit|keit|schaft|ion|tät|ei|ur|ik)$/u.test(word)
    ? 'feminine'
    : 'masculine';
}

function year(value: number): string {
  return value >= 1100 && value < 2000 ? spellOut('de', '%spellout-numbering-year', value) : plain(value);
}

/** Returns the ending of an ordinal after -e, by the word before it. */
function endingAfter(before: string): '' | 'n' | 'r' {
  if (OBLIQUE.test(before)) return 'n';
  return DEFINITE.test(before) ? '' : 'r';
}

function date({ year: ofYear, month, day }: CalendarDate, before: string): string {
  const name = `${ordinal(day)}${endingAfter(before)} ${months[month - 1]}`;
  return ofYear === undefined ? name : `${name} ${year(ofYear)}`;
}

function time({ hour, minute, second }: ClockTime): string {
  const minutes = minute === 0 && second === 0 ? '' : ` ${plain(minute)}`;
  const seconds = second === 0 ? '' : ` und ${second === 1 ? 'eine Sekunde' : `${plain(second)} Sekunden`}`;
  return `${cardinal(hour, 'masculine')} Uhr${minutes}${seconds}`;
}
