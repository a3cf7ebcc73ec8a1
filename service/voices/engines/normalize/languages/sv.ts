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

/** Names of kings and queens; after them, a Roman numeral is an ordinal. */
const RULERS =
  'Gustav(?: Adolf)?|Karl|Carl|Erik|Johan|Oscar|Oskar|Fredrik|Kristian|Christian|Harald|Olav|Magnus|Ludvig|Henrik|Edvard|Georg|Elisabet|Elizabeth|Katarina|Peter|Nikolaj|Alexander|Napoleon|Wilhelm|Margareta|Pius|Leo|Benedictus';
/** Common gender is the more frequent one; these frequent nouns are neuter. */
const NEUTER =
  /^(?:rum|hus|fönster|bord|barn|år|larm|samtal|meddelande|nummer|steg|ljus|lås|fel|paket|brev|kort|ord|dygn|glas|ägg|hål|sms|mail|mejl|ärende|försök|exempel|problem|test|foto|program|system|kök|kilo|gram|ton|bud|besök|ben|djur|träd|papper|mål|poäng|slag|val|tal|spår|land|språk|.*(?:rum|ljus|larm|fönster|nummer|meddelande|ande|ende|um))$/u;

/** Words after a number that is not counted. */
const NO_NOUN = /^(?:och|till|eller|från|med|för|som|är|var|av|den|det|har|ska|kan|vid|per|mot|men)$/u;

/** Swedish. */
export const facts: Facts = {
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
    seriesBefore: (word, digits) =>
      digits === '1' && /^\p{Ll}{3,}$/u.test(word) && !NEUTER.test(word) && !NO_NOUN.test(word)
        ? 'common'
        : 'plain',
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
        second === 0 ? '' : `och ${cardinal(second)} ${second === 1 ? 'sekund' : 'sekunder'}`,
      ]
        .filter((part) => part !== '')
        .join(' '),
    separator: '\\.(?=[0-5]\\d(?!\\p{N}|\\.\\p{N}))(?<=(?:kl\\.|klockan|Klockan är|klockan är) ?\\d\\d?\\.)',
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
    dr: 'doktor',
    Dr: 'doktor',
    'm.m.': 'med mera',
    'm.fl.': 'med flera',
    '§': 'paragraf',
    'jan.': 'januari',
    'feb.': 'februari',
    'aug.': 'augusti',
    'sept.': 'september',
    'okt.': 'oktober',
    'nov.': 'november',
    'dec.': 'december',
  },
  roman: {
    before: `kapitel|del|akt|${RULERS}`,
    words: (value, before) =>
      new RegExp(`^(?:${RULERS})$`, 'u').test(before) ? `den ${ordinal(value)}` : cardinal(value),
  },
  signs: {
    and: 'och',
    pages: { before: '[Ss]ida|[Ss]teg|[Ff]il|[Ff]råga|[Dd]el', of: 'av' },
    hashtag: 'hashtagg',
    times: 'gånger',
    divided: 'delat med',
    plusMinus: 'plus minus',
    by: 'gånger',
    codes: {
      before:
        '[Kk]oden?|PIN|[Ll]ösenord(?:et)?|[Pp]ostnummer|(?:[Kk]und|[Ss]erie|[Oo]rder|[Kk]onto|[Aa]vtals)(?:nummer|nr)',
      link: 'är|var',
    },
    weekdays: {
      mån: 'måndag',
      tis: 'tisdag',
      ons: 'onsdag',
      tors: 'torsdag',
      tor: 'torsdag',
      fre: 'fredag',
      lör: 'lördag',
      sön: 'söndag',
    },
    weekdayRange: 'till',
  },
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
    // "5 §" is "paragraf fem".
    {
      pattern: /(?<![\p{L}\p{N}.,])(?<value>\d{1,4}) paragraf(?!\p{L})/gu,
      words: ({ value }) => `paragraf ${cardinal(Number(value))}`,
    },
    // "den 3/4" is a day and a month.
    {
      pattern:
        /(?<=(?<!\p{L})(?:den|Den) )(?<day>0?[1-9]|[12]\d|3[01])\/(?<month>0?[1-9]|1[0-2])(?![\p{L}\p{N}/]|[.,]\p{N})/gu,
      words: ({ day, month }) => `${ordinal(Number(day))} ${MONTHS[Number(month) - 1]}`,
    },
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
