import type { ClockTime, Language, Noun, Series } from '../language.js';
import { localeData } from '../locale-data.js';
import { END, START } from '../numerals.js';
import { spellOut } from '../spell-out.js';

const plain = (value: number) => spellOut('it', '%spellout-numbering', value);
const monthName = (month: number) => localeData('it').months[month - 1] ?? '';

function noun(one: string, other = one, series: Series = 'masculine'): Noun {
  return { one, other, series };
}

/** Names of kings and popes; after them, a Roman numeral is an ordinal. */
const RULERS =
  'Luigi|Vittorio Emanuele|Emanuele|Umberto|Carlo|Enrico|Giorgio|Edoardo|Filippo|Elisabetta|Caterina|Federico|Francesco|Ferdinando|Benedetto|Paolo|Pio|Leone|Gregorio|Clemente|Napoleone|Guglielmo|Alessandro|Nicola|Pietro|Innocenzo|Urbano|Bonifacio|Papa \\p{L}{3,12}';

/** Italian. */
export const language: Language = {
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
      d: noun('giorno', 'giorni'),
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
    scales: {
      milioni: 'milioni',
      milione: 'milione',
      miliardi: 'miliardi',
      miliardo: 'miliardo',
      mln: 'milioni',
      mld: 'miliardi',
    },
  },
  dates: {
    date: ({ year, month, day }) => {
      const name = `${day === 1 ? 'primo' : plain(day)} ${monthName(month)}`;
      return year === undefined ? name : `${name} ${plain(year)}`;
    },
    monthFirst: false,
    shortDates: false,
    slash: {
      before:
        '[Ii]l|[Dd]al|[Dd]el|[Ee]ntro|[Ff]ino al|[Dd]ata|(?:[Ll]une|[Mm]arte|[Mm]ercole|[Gg]iove|[Vv]ener)dì|[Ss]abato|[Dd]omenica',
      beforeLate: 'al|e|per il',
      to: 'al|e il',
      of: 'd(?:i|el|ello|ella|ei|egli|elle|ell)',
    },
    dayMonth: '[°º]? ',
    monthYear: ' ',
  },
  times: {
    time,
    separator: '\\.(?=[0-5]\\d(?!\\p{N}|[.,]\\p{N}))(?<=(?:ore|alle|all’|dalle|le) \\d\\d?\\.)',
    suffix: ' ?h',
  },
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
    'Sig.na': 'signorina',
    'p.es.': 'per esempio',
    'P.es.': 'per esempio',
    'p. es.': 'per esempio',
    'sig.ra': 'signora',
    'sig.': 'signor',
    'Sig.': 'signor',
    'Sig.ra': 'signora',
    'p.za': 'piazza',
    'P.za': 'piazza',
    'dott.': 'dottor',
    'Dott.': 'dottor',
    'a.C.': 'avanti Cristo',
    'd.C.': 'dopo Cristo',
    'Avv.': 'avvocato',
    'Ing.': 'ingegner',
    '§': 'paragrafo',
    'dott.ssa': 'dottoressa',
    'ing.': 'ingegner',
    'prof.': 'professor',
    'Prof.': 'professor',
    'ecc.': 'eccetera',
    'es.': 'esempio',
    'tel.': 'telefono',
    'Tel.': 'telefono',
    'n°': 'numero',
    nº: 'numero',
    'N°': 'numero',
    Nº: 'numero',
    'n.': 'numero',
    'v.le': 'viale',
    'c.so': 'corso',
  },
  roman: {
    before: `secolo|capitolo|volume|tomo|${RULERS}`,
    words: (value, before) =>
      /^(?:secolo|capitolo|volume|tomo)$/iu.test(before)
        ? plain(value)
        : (ordinal(value, before.endsWith('a') && !/^(?:Papa|Andrea)/u.test(before)) ?? plain(value)),
    after: { pattern: 'secolo|capitolo', words: (value) => ordinal(value, false) ?? plain(value) },
  },
  signs: {
    and: 'e',
    pages: { before: '[Pp]agina|[Pp]asso|[Ff]ile|[Dd]omanda|[Pp]arte', of: 'di' },
    hashtag: 'hashtag',
    times: 'per',
    divided: 'diviso',
    plusMinus: 'più o meno',
    by: 'per',
    score: 'a',
    codes: {
      before:
        '[Cc]odice(?: cliente| postale)?|CAP|PIN|[Nn]umero di (?:serie|conto|telefono|ordine|contratto)|[Nn]umero cliente|[Pp]assword',
      link: 'è|era',
    },
    weekdays: {
      lun: 'lunedì',
      mar: 'martedì',
      mer: 'mercoledì',
      gio: 'giovedì',
      ven: 'venerdì',
      sab: 'sabato',
      dom: 'domenica',
    },
  },
  fraction: ({ whole, numerator, denominator }) => {
    if (denominator < 2) return undefined;
    const part = denominator === 2 ? 'mezzo' : spellOut('it', '%spellout-ordinal-masculine', denominator);
    const words = `${cardinal(numerator, 'masculine')} ${numerator === 1 ? part : part.replace(/o$/u, 'i')}`;
    return whole === undefined ? words : `${plain(Number(whole))} e ${words}`;
  },
  forms: [
    // "mln di €".
    { pattern: /(?<=(?:milion[ei]|miliard[oi]|mln|mld) di )€(?!\p{N})/gu, words: () => 'euro' },
    // "1/2 litro" is "mezzo litro".
    {
      pattern: /(?<![\p{L}\p{N}.,/]|\p{N} )1\/2 (?=(?<noun>\p{Ll}{3,20})(?!\p{L}))/gu,
      words: ({ noun = '' }) => (noun === 'ora' ? "mezz'" : noun.endsWith('a') ? 'mezza ' : 'mezzo '),
    },
    // Many keyboards have the degree sign only: "3° piano".
    {
      pattern:
        /(?<![\p{L}\p{N}.,])(?<value>[1-9]\d?)°(?= \p{Ll}{3})(?! (?:all|sotto|sopra|con|nel|fuori|in ))/gu,
      words: ({ value }) => ordinal(Number(value), false),
    },
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
  const name = minute === 1 ? 'minuto' : 'minuti';
  const minutes = minute === 0 ? '' : ` e ${cardinal(minute, 'masculine')} ${name}`;
  const seconds =
    second === 0 ? '' : ` e ${cardinal(second, 'masculine')} ${second === 1 ? 'secondo' : 'secondi'}`;
  return `${hours}${minutes}${seconds}`;
}
