import type { CalendarDate, ClockTime, Language, Noun, Series } from '../language.js';
import { localeData } from '../locale-data.js';
import { START } from '../numerals.js';
import { spellOut } from '../spell-out.js';
import { countForms, dayForms } from './de-forms.js';
import { germanAbbreviations, germanElectronic, PARTS, germanSigns } from './de-words.js';

const plain = (value: number) => spellOut('de', '%spellout-numbering', value);
const ordinal = (value: number) => spellOut('de', '%spellout-ordinal', value);
const monthName = (month: number) => localeData('de').months[month - 1] ?? '';

/** Words before an ordinal that give it the ending -n, and the ending -e. */
const OBLIQUE =
  /(?:^|[^\p{L}])(?:am|vom|zum|dem|den|des|beim|im|seit|ab|bis|nach|vor|zur|einem|einer|jedem|jeden|diesem|diesen)(?: \p{L}+,)? $/iu;
const DEFINITE = /(?:^|[^\p{L}])(?:der|die|das|jede|diese) $/iu;

function noun(one: string, other = one, series: Series = 'masculine'): Noun {
  return { one, other, series };
}

const million = noun('Million', 'Millionen', 'feminine');
const milliard = noun('Milliarde', 'Milliarden', 'feminine');

/** Names of kings and popes; after them, a Roman numeral is an ordinal with an article. */
const RULERS =
  'Ludwig|Friedrich(?: Wilhelm)?|Wilhelm|Heinrich|Karl|Otto|Georg|Eduard|Elisabeth|Katharina|Peter|Nikolaus|Alexander|Franz|Ferdinand|Maximilian|Leopold|Benedikt|Johannes|Johannes Paul|Paul|Pius|Leo|Gregor|Clemens|Innozenz|Gustav|Christian|Harald|Ramses|Napoleon|Konrad|Rudolf|August|Philipp|Margarethe';

/** "Ludwig der Vierzehnte", after a preposition with the dative "dem Vierzehnten". */
function rulerWords(value: number, before: string, context: string): string {
  if (!new RegExp(`^(?:${RULERS})$`, 'u').test(before)) return plain(value);
  const isFeminine = /^(?:Elisabeth|Katharina|Margarethe)$/u.test(before);
  const isDative = /(?:^|[^\p{L}])(?:von|mit|bei|unter|zu|nach|aus) (?:\p{Lu}\p{Ll}+ )?$/u.test(context);
  const words = ordinal(value);
  const name = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  if (isDative) return `${isFeminine ? 'der' : 'dem'} ${name}n`;
  return `${isFeminine ? 'die' : 'der'} ${name}`;
}

/** German. Neuter nouns have the same number words as masculine ones. */
export const language: Language = {
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
    equals: 'gleich',
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
      Wh: noun('Wattstunde', 'Wattstunden', 'feminine'),
      VA: noun('Voltampere'),
      Ah: noun('Amperestunde', 'Amperestunden', 'feminine'),
      B: noun('Byte'),
      bit: noun('Bit'),
      dB: noun('Dezibel'),
      ppm: noun('Teil pro Million', 'Teile pro Million'),
      qm: noun('Quadratmeter'),
      Uhr: noun('Uhr'),
      Std: noun('Stunde', 'Stunden', 'feminine'),
      Min: noun('Minute', 'Minuten', 'feminine'),
      Sek: noun('Sekunde', 'Sekunden', 'feminine'),
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
      Millionen: million,
      Million: noun('Million', 'Million', 'feminine'),
      'Mio.': million,
      Mio: million,
      Milliarden: milliard,
      Milliarde: noun('Milliarde', 'Milliarde', 'feminine'),
      'Mrd.': milliard,
      millionen: million,
      million: noun('Million', 'Million', 'feminine'),
      milliarden: milliard,
      milliarde: noun('Milliarde', 'Milliarde', 'feminine'),
      Mrd: milliard,
    },
  },
  dates: { date, monthFirst: false, shortDates: true, dayMonth: '\\.? ', monthYear: ' ' },
  times: {
    time,
    separator: '\\.(?=[0-5]\\d(?: Uhr| ?(?:[-–—]|bis|und|oder) ?\\d{1,2}(?:[.:][0-5]\\d)? Uhr))',
    suffix: ' Uhr',
  },
  phones: { patterns: [], pause: ', ', digit: plain },
  electronic: germanElectronic,
  abbreviations: germanAbbreviations,
  roman: {
    before: `Kapitel|Teil|Band|Artikel|Abschnitt|Klasse|Stufe|${RULERS}`,
    words: rulerWords,
    point: true,
    after: {
      pattern: 'Jahrhunderts?|Kapitels?|Bande?s?',
      mark: '\\.',
      words: (value, _, context) => `${ordinal(value)}${endingAfter(context)}`,
    },
  },
  signs: germanSigns,
  fraction: ({ whole, numerator, denominator }) => {
    if (denominator < 2) return undefined;
    const part = denominator === 2 ? (numerator === 1 ? 'halb' : 'halbe') : `${ordinal(denominator)}l`;
    const words = `${cardinal(numerator, 'masculine')} ${part}`;
    return whole === undefined ? words : `${cardinal(Number(whole), 'masculine')} ${words}`;
  },
  names: [
    ...dayForms,
    // A sentence that ends with a date: "am 3.4. Bis dann."
    {
      pattern:
        /(?<=(?<!\p{N})\d{1,2}\.\d{1,2}\.)(?= (?:Bis|Bitte|Danke|Wir|Ich|Sie|Er|Es|Ihre?|Unsere?|Der|Die|Das|Ein|Eine|Am|Im|In|Ab|Um|Mit|Bei|Für|Von|Nach|Vor|Wenn|Falls|Dann|Dort|Hier|Heute|Morgen|Und|Aber)(?!\p{L}))/gu,
      words: () => '.',
    },
    // "8–9.30 Uhr": one of the times has minutes.
    {
      pattern: /(?<=(?<![\p{N}.,:])\d{1,2}(?:[.:][0-5]\d)?) ?[-–] ?(?=\d{1,2}(?:[.:][0-5]\d)? Uhr)/gu,
      words: () => ' bis ',
    },
    // "Art. 3 Abs. 1"; elsewhere, "Art." ends a sentence.
    {
      pattern: /(?<!\p{L})(?<short>Art|Abs|Ziff|Kap|Abb|Bd|Abt|S)\. ?(?=\d)/gu,
      words: ({ short = '' }) => `${PARTS[short]} `,
    },
    // "Kaiserstr. 12".
    { pattern: /(?<=\p{Ll})str\.(?= \d)/gu, words: () => 'straße' },
  ],
  forms: [
    ...countForms,
    // "die 90er".
    {
      pattern: /(?<=(?<!\p{L})(?:die|Die|den|Den|der) )(?<decade>[2-9]0)er(?![\p{L}-]| Jahre)/gu,
      words: ({ decade }) => {
        const words = `${plain(Number(decade))}er`;
        return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
      },
    },
    // "der 80er-Jahre".
    {
      pattern: /(?<![\p{L}\p{N}.,])(?:19|20)?(?<decade>[1-9]0)er[- ](?=Jahren?(?!\p{L}))/gu,
      words: ({ decade }) => `${plain(Number(decade))}er `,
    },
    // "in 1 Stunde" takes the dative, "kostet 1 €" the accusative.
    {
      pattern:
        /(?<=(?<![\p{L}])(?:[Ii]n|[Nn]ach|[Vv]or|[Ss]eit|[Mm]it|[Bb]ei|[Zz]u|[Vv]on) )1 (?<noun>Stunde|Minute|Sekunde|Std|Min|min|h|Sek|Woche|Tag|Monat|Jahr)(?![\p{L}/])/gu,
      words: ({ noun = '' }) => {
        const name =
          { Std: 'Stunde', h: 'Stunde', Min: 'Minute', min: 'Minute', Sek: 'Sekunde' }[noun] ?? noun;
        return `${name.endsWith('e') ? 'einer' : 'einem'} ${name}`;
      },
    },
    {
      pattern:
        /(?<=(?<!\p{L})(?:beträgt|kostet|kosten|um|für|über|zahlen Sie|macht) )1 ?(?<unit>€|\$|Euro|Dollar|Cent|Meter|Kilometer)(?![\p{L}\p{N}/])/gu,
      words: ({ unit = '' }) => `einen ${{ '€': 'Euro', $: 'Dollar' }[unit] ?? unit}`,
    },
    { pattern: /^(?<value>\d{1,7})\.$/gu, words: ({ value }) => `${ordinal(Number(value))}r` },
    {
      pattern: new RegExp(`${START}(?<value>\\d{1,6})te(?<ending>[mnrs]?)(?!\\p{L})`, 'gu'),
      words: ({ value, ending = '' }) => `${ordinal(Number(value))}${ending}`,
    },
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
  const name = `${ordinal(day)}${endingAfter(before)} ${monthName(month)}`;
  return ofYear === undefined ? name : `${name} ${year(ofYear)}`;
}

function time({ hour, minute, second }: ClockTime): string {
  const minutes = minute === 0 && second === 0 ? '' : ` ${plain(minute)}`;
  const seconds = second === 0 ? '' : ` und ${second === 1 ? 'eine Sekunde' : `${plain(second)} Sekunden`}`;
  return `${cardinal(hour, 'masculine')} Uhr${minutes}${seconds}`;
}
