import { type Facts, noun } from '../language-of.js';
import { END, START } from '../numerals.js';
import { spellOut } from '../spell-out.js';

const cardinal = (value: number) =>
  spellOut('hu', '%spellout-numbering', value)
    .replace(/(?<![\p{L}-])egyezer/u, 'ezer')
    .replace(/^egyszáz/u, 'száz')
    .replace(/^egymillió(?=.)/u, 'millió')
    .replace(/két(?=ezer|millió|milliárd)/gu, 'kettő');
const ordinal = (value: number) => spellOut('hu', '%spellout-ordinal', value);
/** The names of decimal places. */
const PLACES = ['tized', 'század', 'ezred', 'tízezred', 'százezred', 'milliomod'];
const MONTHS =
  'január február március április május június július augusztus szeptember október november december'.split(
    ' ',
  );
/** Days of a date: "elseje", "másodika", "harmadika". */
function dayOf(day: number): string {
  if (day === 1) return 'elseje';
  const words = ordinal(day);
  const isBack = /[aáoóuú][^aáoóuúeéiíöőüű]*$/u.test(words.replace(/ik$/u, ''));
  return `${words}${isBack ? 'a' : 'e'}`;
}

/** The ending of "times" by the last vowel of the number. */
function suffixOf(number: string): string {
  if (number.endsWith('kettő')) return 'szer';
  const vowel = /[aáoóuúeéiíöőüű](?=[^aáoóuúeéiíöőüű]*$)/u.exec(number)?.[0] ?? '';
  if (/[aáoóuú]/u.test(vowel)) return 'szor';
  return /[öőüű]/u.test(vowel) ? 'ször' : 'szer';
}

/** Hungarian. */
export const facts: Facts = {
  code: 'hu',
  numbers: {
    equals: 'egyenlő',
    minus: 'mínusz',
    plus: 'plusz',
    mark: 'egész',
    to: '–',
    dot: 'pont',
    cardinal,
    ordinal,
    pointMarksOrdinals: true,
    year: cardinal,
    range: (from, to) => `${from}-${to}`,
    decimals: (whole, fraction) => {
      const place = PLACES[fraction.length - 1];
      return place === undefined
        ? undefined
        : `${cardinal(Number(whole))} egész ${cardinal(Number(fraction))} ${place}`;
    },
  },
  units: { by: 'per', rate: (name, per) => `${name} per ${per}` },
  money: {
    units: { HUF: noun('forint'), USD: noun('dollár'), EUR: noun('euró'), GBP: noun('angol font') },
    cents: { USD: noun('cent'), EUR: noun('cent'), HUF: noun('fillér'), GBP: noun('penny') },
    signs: { Ft: 'HUF', ft: 'HUF' },
    scales: {
      ezer: 'ezer',
      millió: 'millió',
      milliárd: 'milliárd',
      mrd: 'milliárd',
      'mrd.': 'milliárd',
      M: 'millió',
    },
  },
  dates: {
    date: ({ year, month, day }) =>
      `${year === undefined ? '' : `${cardinal(year)} `}${MONTHS[month - 1]} ${dayOf(day)}`,
    dayMonth: '(?!)',
    monthYear: '(?!)',
  },
  times: {
    time: ({ hour, minute, second }) =>
      [
        `${cardinal(hour)} óra`,
        minute === 0 ? '' : `${cardinal(minute)} perc`,
        second === 0 ? '' : `${cardinal(second)} másodperc`,
      ]
        .filter((part) => part !== '')
        .join(' '),
    separator: '\\.(?=[0-5]\\d-(?:kor|ig|t[óő]l))',
    suffix: ' ó(?:ra)?(?!\\p{L})',
  },
  phones: {
    patterns: ['06[ -]\\d{1,2}[ -]\\d{2,3}[ -]\\d{3,4}'],
    pause: ', ',
    group: (digits) => (digits.startsWith('0') ? undefined : cardinal(Number(digits))),
  },
  electronic: {
    signs: {
      '@': 'kukac',
      '.': 'pont',
      '-': 'kötőjel',
      _: 'alsó vonás',
      '/': 'perjel',
      ':': 'kettőspont',
      '://': 'kettőspont perjel perjel',
    },
    words: { com: 'com', nvidia: 'nvidia', gmail: 'gmail', hu: 'h u' },
  },
  abbreviations: {
    cet: 'c e t',
    'fn.-et': 'főnevet',
    'fn.-vel': 'főnévvel',
    'dr.': 'doktor',
    'Dr.': 'doktor',
    'ún.': 'úgynevezett',
    'kb.': 'körülbelül',
    'pl.': 'például',
    'stb.': 'satöbbi',
    'tel.': 'telefon',
    'isk.': 'iskola',
    'ill.': 'illetve',
    'Kr. e.': 'Krisztus előtt',
    'Kr. u.': 'Krisztus után',
    'i. e.': 'időszámításunk előtt',
    'i. sz.': 'időszámításunk szerint',
  },
  roman: {
    before: '(?!)',
    words: cardinal,
    after: {
      pattern:
        'század\\p{L}{0,6}|fejezet\\p{L}{0,6}|kerület\\p{L}{0,6}|emelet\\p{L}{0,6}|Béla|István|László|Károly|Mátyás|Lajos|Ferenc|József|Lipót|Miksa|Rudolf|Ulászló|Zsigmond|Endre|András|Géza|Kálmán|Imre|Ottó|Vencel|Vilmos|Henrik|Erzsébet|György|Frigyes|János|Pál|Pius|Napóleon|Miklós|Péter|Katalin|Sándor|Fülöp',
      mark: '\\.',
      words: (value, _, context) => {
        const words = ordinal(value);
        return /(?:^|[.!?] )$/u.test(context) ? `${words.charAt(0).toUpperCase()}${words.slice(1)}` : words;
      },
    },
  },
  signs: {
    and: 'és',
    hashtag: 'hashtag',
    divided: 'osztva',
    times: (number) => `${number.replace(/kettő$/u, 'két')}${suffixOf(number)}`,
    plusMinus: 'plusz-mínusz',
    score: '',
    codes: {
      before:
        '[Kk]ód(?:ja)?|PIN-kód|[Ii]rányítószám(?:a)?|[Jj]elszó|(?:[Üü]gyfél|[Ss]orozat|[Rr]endelés|[Ss]zámla|[Ss]zerződés)szám(?:a)?',
    },
  },
  fraction: ({ whole, numerator, denominator }) => {
    if (denominator < 2) return undefined;
    const part = denominator === 2 ? 'fél' : ordinal(denominator).replace(/ik$/u, '');
    const words = `${cardinal(numerator).replace(/kettő$/u, 'két')}${numerator > 20 ? ' ' : ''}${part}`;
    return whole === undefined ? words : `${cardinal(Number(whole))} egész ${words}`;
  },
  names: [{ pattern: /(?<=\p{L} )u\. (?=\d)/gu, words: () => 'utca ' }],
  forms: [
    // "a 112-t", "3-kor", "7-es".
    {
      pattern: /(?<![\p{L}\p{N}.,:/-]|\p{N} )(?<value>0|[1-9]\d{0,5})-(?<ending>\p{Ll}{1,6})(?!\p{L}|-)/gu,
      words: ({ value, ending = '' }) =>
        isCase(ending) ? withEnding(cardinal(Number(value)), ending) : undefined,
    },
    {
      pattern: /(?<![\p{L}\p{N}.,])(?<value>[1-9]\d{0,3})\. ?§(?<ending>-\p{L}{1,4})?/gu,
      words: ({ value, ending = '' }) => `${ordinal(Number(value))} paragrafus${ending.replace('-', '')}`,
    },
    // "1/2 liter" is "fél liter".
    { pattern: /(?<![\p{L}\p{N}.,/]|\p{N} )1\/2 (?=\p{Ll}{3})/gu, words: () => 'fél ' },
    {
      pattern: /^(?<value>\d{1,3}(?: ?\d{3})*)\.$/gu,
      words: ({ value = '' }) => ordinal(Number(value.replaceAll(' ', ''))),
    },
    {
      pattern: new RegExp(
        `${START}(?:(?<year>\\d{4})\\. )?(?<month>0?[1-9]|1[0-2])\\. (?<day>\\d{1,2})(?<ending>\\.|-[jaáeé]é?n)${END}`,
        'gu',
      ),
      words: ({ year, month, day, ending = '' }) => dateWords(year, Number(month), Number(day), ending),
    },
    {
      pattern: new RegExp(
        `(?:(?<![\\p{L}\\p{N}])(?<year>\\d{4})\\. )?(?<![\\p{L}])(?<name>${MONTHS.join('|')}|jan\\.|febr\\.|márc\\.|ápr\\.|máj\\.|jún\\.|júl\\.|aug\\.|szept\\.|okt\\.|nov\\.|dec\\.) (?<day>\\d{1,2})(?<ending>\\.|-[jaáeé]é?n|-i)${END}`,
        'gu',
      ),
      words: ({ year, name = '', day, ending = '' }) =>
        dateWords(
          year,
          MONTHS.findIndex((month) => month.startsWith(name.replace('.', '').slice(0, 3))) + 1,
          Number(day),
          ending,
        ),
    },
    // After the dates: "3. emelet".
    {
      pattern: new RegExp(
        `(?<!\\p{N} )${START}(?<value>[1-9]\\d{0,3})\\.(?= (?!${MONTHS.join('|')})\\p{Ll}{2})`,
        'gu',
      ),
      words: ({ value }) => ordinal(Number(value)),
    },
  ],
};

/** Endings of nouns; others, such as "ös", make a noun of the number. */
const isCase = (ending: string): boolean =>
  /^(?:[aeoö]?t|kor|ig|r[ae]|r[óő]l|b[ae]|b[ae]n|b[óő]l|[nt][óő]l|t[óő]l|n[áé]l|h[oeö]z|v[ae]l|[oeö]n|n[ae]k|szor|szer|ször|ért)$/u.test(
    ending,
  );

/** The number words change before a vowel: "hármat", "hetet". */
const STEMS: ReadonlyArray<readonly [word: RegExp, stem: string]> = [
  [/három$/u, 'hárm'],
  [/hét$/u, 'het'],
  [/ezer$/u, 'ezr'],
];

function withEnding(words: string, ending: string): string {
  const long = words.replace(/a$/u, 'á').replace(/e$/u, 'é');
  if (!/^[aeoö]t$/u.test(ending)) return `${long}${ending}`;
  const [word, stem = ''] = STEMS.find(([end]) => end.test(words)) ?? [/$/u];
  return `${words.replace(word, stem)}${ending}`;
}

function dateWords(year: string | undefined, month: number, day: number, ending: string): string | undefined {
  if (month < 1 || day < 1 || day > 31) return undefined;
  const words = `${year === undefined ? '' : `${cardinal(Number(year))} `}${MONTHS[month - 1]} ${dayOf(day)}`;
  if (ending === '-i') return `${words.replace(/[ae]$/u, '')}i`;
  return ending === '.' ? words : `${words.replace(/e$/u, 'é').replace(/a$/u, 'á')}n`;
}
