import type { Series } from '../language.js';
import { type Facts, noun } from '../language-of.js';
import { END, START } from '../numerals.js';
import { spellOut } from '../spell-out.js';

const cents = noun('cent', 'cent', 'common');
/** Swedes leave "ett" out before "hundra" and "tusen", and write hundreds apart from the thousands. */
function cardinal(value: number, series: Series = 'plain'): string {
  const ruleSet =
    series === 'common' || series === 'masculine' ? '%spellout-cardinal-reale' : '%spellout-numbering';
  return spellOut('sv', ruleSet, value)
    .replace(/(?<!\p{L})ettusen/gu, 'tusen')
    .replace(/(?<!\p{L})ett ?(?=hundra|tusen)/gu, '')
    .replace(/(?<!\p{L})(?:en|ett) (?=miljon|miljard)/gu, '');
}
/** Years are read in pairs: "tjugotjugosex". */
function year(value: number): string {
  const [century, rest] = [Math.floor(value / 100), value % 100];
  if (value < 1100 || value >= 2100) return cardinal(value);
  const isPair = century === 20 && rest >= 10;
  return `${cardinal(century)}${isPair ? '' : 'hundra'}${rest === 0 ? '' : cardinal(rest)}`;
}
const ordinal = (value: number) =>
  spellOut('sv', '%spellout-ordinal-neuter', value).replace(/^ett ?(?=hundra|tusen)/u, '');

/** Swedish. */
export const swedish: Facts = {
  code: 'sv',
  numbers: {
    equals: 'är',
    minus: 'minus',
    plus: 'plus',
    mark: 'komma',
    to: 'till',
    dot: 'punkt',
    cardinal,
    ordinal,
    joinsDecimals: true,
    pointMarksOrdinals: true,
    year,
  },
  units: { by: 'per' },
  money: {
    units: {
      SEK: { one: 'krona', other: 'kronor', series: 'common' },
      NOK: { one: 'norsk krona', other: 'norska kronor', series: 'common' },
      DKK: { one: 'dansk krona', other: 'danska kronor', series: 'common' },
      EUR: noun('euro', 'euro', 'common'),
      USD: noun('dollar', 'dollar', 'common'),
      GBP: noun('pund', 'pund', 'neuter'),
      JPY: noun('yen', 'yen', 'common'),
      CNY: noun('yuan', 'yuan', 'common'),
    },
    cents: {
      SEK: noun('öre', 'öre', 'neuter'),
      EUR: cents,
      USD: cents,
      GBP: { one: 'penny', other: 'pence', series: 'common' },
    },
    signs: { kr: 'SEK', 'kr.': 'SEK', ':-': 'SEK', kronor: 'SEK', yuan: 'CNY' },
    scales: {
      mn: noun('miljon', 'miljoner', 'common'),
      mnkr: noun('miljon kronor', 'miljoner kronor', 'common'),
      md: noun('miljard', 'miljarder', 'common'),
      mdr: noun('miljard', 'miljarder', 'common'),
      miljon: noun('miljon', 'miljoner', 'common'),
      miljoner: noun('miljon', 'miljoner', 'common'),
      miljard: noun('miljard', 'miljarder', 'common'),
      miljarder: noun('miljard', 'miljarder', 'common'),
      biljon: noun('biljon', 'biljoner', 'common'),
      biljoner: noun('biljon', 'biljoner', 'common'),
    },
  },
  dates: {
    date: ({ year: ofYear, month, day }) =>
      `${ordinal(day)} ${MONTHS[month - 1]}${ofYear === undefined ? '' : ` ${year(ofYear)}`}`,
    shortDates: false,
    dayMonth: '(?::[ae]|\\.)? ',
    monthYear: ',? ',
  },
  times: {
    time: ({ hour, minute, second }) =>
      [
        cardinal(hour),
        minute + second === 0 ? '' : `${minute < 10 ? 'noll ' : ''}${cardinal(minute)}`,
        second === 0 ? '' : cardinal(second),
      ]
        .filter((part) => part !== '')
        .join(' '),
    separator: '\\.(?=[0-5]\\d(?!\\p{N}|\\.))(?<=(?:kl\\.|klockan) ?\\d\\d?\\.)',
    suffix: '(?!)',
  },
  phones: { patterns: [], pause: ', ', group },
  electronic: {
    signs: {
      '@': 'snabel-a',
      '.': 'punkt',
      '-': 'bindestreck',
      _: 'understreck',
      '/': 'snedstreck',
      ':': 'kolon',
      '://': 'kolon dubbla snedstreck',
    },
    words: { gmail: 'g mail', com: 'com', nvidia: 'nvidia', org: 'org', net: 'net' },
  },
  abbreviations: {
    'tel.': 'telefon',
    'tel.:': 'telefon',
    'tfn.': 'telefon',
    tfn: 'telefon',
    'kl.': 'klockan',
    'ankn.': 'anknytning',
    's:t': 'sankt',
    's:ta': 'sankta',
    't.ex.': 'till exempel',
    'bl.a.': 'bland annat',
    'dvs.': 'det vill säga',
    'o.s.v.': 'och så vidare',
    'osv.': 'och så vidare',
    ca: 'cirka',
    'ca.': 'cirka',
    'f.m.': 'förmiddag',
    'e.m.': 'eftermiddag',
    'f Kr': 'före Kristus',
    'f.Kr.': 'före Kristus',
    'e.Kr.': 'efter Kristus',
    nr: 'nummer',
    'nr.': 'nummer',
    est: 'e s t',
    cet: 'c e t',
    'dr.': 'doktor',
    'jan.': 'januari',
    'feb.': 'februari',
    'aug.': 'augusti',
    'sept.': 'september',
    'okt.': 'oktober',
    'nov.': 'november',
    'dec.': 'december',
  },
  roman: { before: 'kapitel|del|akt', words: (value) => cardinal(value) },
  fraction: ({ whole, numerator, denominator }) => {
    if (denominator < 2) return undefined;
    const part =
      denominator === 2
        ? ['halv', 'halva']
        : denominator === 4
          ? ['fjärdedel', 'fjärdedelar']
          : [`${ordinal(denominator)}del`, `${ordinal(denominator)}delar`];
    const words = numerator === 1 ? `en ${part[0]}` : `${cardinal(numerator)} ${part[1]}`;
    return whole === undefined ? words : `${cardinal(Number(whole))} och ${words}`;
  },
  forms: [
    {
      pattern: new RegExp(`${START}(?<value>\\d{1,4}):[ae]${END}`, 'gu'),
      words: ({ value }) => ordinal(Number(value)),
    },
    { pattern: /^(?<value>\d{1,3})\.$/gu, words: ({ value }) => ordinal(Number(value)) },
    {
      pattern: new RegExp(`${START}(?<value>[12]\\d)00-talet${END}`, 'gu'),
      words: ({ value }) => `${cardinal(Number(value))}hundratalet`,
    },
  ],
};

const MONTHS = 'januari februari mars april maj juni juli augusti september oktober november december'.split(
  ' ',
);

/** Groups of two and three digits are read as numbers, four in pairs; an area code digit by digit. */
function group(digits: string): string | undefined {
  if (digits.startsWith('0') || digits.length > 4) return undefined;
  if (digits.length < 4) return cardinal(Number(digits));
  return [digits.slice(0, 2), digits.slice(2)]
    .map((pair) => (pair.startsWith('0') ? `noll ${cardinal(Number(pair))}` : cardinal(Number(pair))))
    .join(' ');
}
