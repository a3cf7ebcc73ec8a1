import type { Language } from '../language.js';
import type { NormalizationRule } from '../rule.js';

/** Emergency numbers with the words before or after them: regular expressions. */
interface Calls {
  numbers: string;
  before?: string;
  after?: string;
  /** The numbers of which pairs of digits are read, not single ones. */
  inPairs?: RegExp;
}

/**
 * Left out are languages that read these numbers as cardinals, such as French "le quinze" and Japanese 110, and the
 * numbers of a language with that reading, such as Russian 112.
 */
const CALLS: Readonly<Record<string, Calls>> = {
  en: {
    numbers: '911|999|112|000|111|988|101|211|311|411',
    before: '(?:[Cc]all|[Dd]ial|[Rr]ing|[Pp]hone)(?:s|ed|ing)?|[Ee]mergency (?:number|call)',
  },
  de: {
    numbers: '110|112|115|116117|117|118|122|133|144',
    before: 'Notruf(?:nummer)?|(?:[Rr]uf|[Ww]ähl)(?:e|en|t)?(?: Sie)?(?: die| den Notruf)?|unter der',
  },
  es: {
    // "cero dieciséis".
    numbers: '112|911|0(?:16|61|62|80|85|91|92)',
    inPairs: /^0/u,
    before: '(?:[Ll]lam(?:a|e|en|ar|ad)|[Mm]ar(?:ca|que|quen|car))(?: al| el)?|[Ee]mergencias',
  },
  fr: {
    // Short numbers are read in pairs: "trente-neuf dix-neuf".
    numbers: '3\\d{3}|10[1-9]\\d',
    before:
      '(?:[Aa]ppel|[Cc]ompos|[Cc]ontact)(?:ez|er|e)(?: le| au)?|[Ff]aites(?: le)?|joignable au|[Tt]éléphone[rz](?: au)?',
    inPairs: /./u,
  },
  it: {
    numbers: '112|113|115|118',
    before: '(?:[Cc]hiam(?:a|i|are|ate|ino)|[Cc]omponi)(?: il)?|[Nn]umero di emergenza',
  },
  pt: {
    numbers: '190|191|192|193|100|112|180|181|188',
    before: '[Ll]ig(?:ue|uem|a|ar)(?: para| pro| ao)?(?: o)?|[Dd]isque|[Dd]isca(?:r)?',
  },
  nl: { numbers: '112|113|144', before: '[Bb]el(?:t|len)?|[Aa]larmnummer' },
  sv: { numbers: '112|1177', inPairs: /^1177$/u, before: '[Rr]ing(?:a|er)?|[Nn]ödnumret|[Ll]arma' },
  da: { numbers: '112|114', before: '[Rr]ing(?:er)?(?: til)?|[Aa]larm' },
  fi: { numbers: '112', before: '[Ss]oita|[Hh]ätänumero(?:on)?' },
  pl: { numbers: '997|998|999', before: '(?:[Zz]a)?[Dd]zwoń(?:cie)?(?: na| pod)?|[Nn]umer(?: alarmowy)?' },
  ro: { numbers: '112', before: '[Ss]un(?:ați|ă|a)(?: la)?|[Aa]pel(?:ați|ează)' },
  ru: {
    numbers: '0[1-4]',
    before: '(?:[Пп]о)?[Зз]вон(?:ите|ить|и)(?: по)?|[Нн]абер(?:ите|и)|[Пп]о (?:телефону|номеру)',
  },
  vi: { numbers: '11[1-5]', before: '[Gg]ọi(?: số)?' },
  id: { numbers: '110|112|113|118|119', before: '[Hh]ubungi|[Tt]elepon' },
  ko: { numbers: '11[0-9]|1339', after: '(?:번)?(?:에|으로|로) ?(?:신고|전화|연락)' },
  hi: { numbers: '112', after: ' पर (?:कॉल|फ़ोन|फोन)' },
};

/** Returns the rule for emergency numbers beside a word of calling: "Call 911" is read digit by digit. */
export function emergencyRules({ code, phones, numbers }: Language): NormalizationRule[] {
  const calls = CALLS[code];
  if (calls === undefined) return [];
  const { before, after, inPairs } = calls;
  const start = before === undefined ? '(?<![\\p{L}\\p{N}.,:/-])' : `(?<=(?<![\\p{L}\\p{M}])(?:${before}) )`;
  const end =
    after === undefined
      ? '(?![\\p{L}\\p{M}\\p{N}]|[-.,:/ ]\\p{N}|\\s?[%°\\p{Sc}]| (?:times|people|[Mm]al|Leute|veces|personas|volte|persone|vezes|pessoas|keer|mensen|gånger|gange)(?!\\p{L}))'
      : `(?=${after})`;
  return [
    {
      pattern: new RegExp(`${start}(?<number>${calls.numbers})${end}`, 'gu'),
      words: ({ number = '' }) =>
        inPairs?.test(number) === true
          ? pairsOf(number)
              .map((pair) => numbers.cardinal(Number(pair), 'plain'))
              .join(' ')
          : Array.from(number, (digit) => phones.digit(Number(digit))).join(code === 'ko' ? '' : ' '),
    },
  ];
}

/** Returns the digits of a number in pairs; the first one of an odd number stands alone. */
const pairsOf = (number: string): string[] =>
  [number.slice(0, number.length % 2), ...(number.slice(number.length % 2).match(/\d\d/gu) ?? [])].filter(
    Boolean,
  );
