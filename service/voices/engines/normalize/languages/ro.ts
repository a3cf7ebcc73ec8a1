import type { Noun } from '../language.js';
import { electronicOf, type Facts } from '../language-of.js';
import { spellOut } from '../spell-out.js';

/** From 20 on, "de" stands before the noun. */
const counted = (one: string, few: string): Noun => ({
  one: `=un ${one}`,
  few,
  other: `de ${few}`,
  series: 'masculine',
});
const cardinal = (value: number) => spellOut('ro', '%spellout-cardinal-masculine', value);
/** CLDR has "una mie". */
const year = (value: number) =>
  spellOut('ro', '%spellout-numbering', value).replace(/^una (?=mie|sută)/u, 'o ');
const FIRST = ' prima a doua a treia a patra a cincea a șasea a șaptea a opta a noua a zecea'.split(
  / (?=a |prima)/u,
);

/** Romanian. */
export const facts: Facts = {
  code: 'ro',
  numbers: {
    minus: 'minus',
    plus: 'plus',
    mark: 'virgulă',
    to: 'până la',
    dot: 'punct',
    equals: 'egal',
    ordinal,
    year,
    cardinal: (value, series) =>
      (series === 'plain'
        ? spellOut('ro', '%spellout-numbering', value)
        : spellOut(
            'ro',
            `%spellout-cardinal-${series === 'common' || series === 'native' ? 'masculine' : series}`,
            value,
          )
      ).replace(/(?<!\p{L})una (?=mie|sută)/gu, 'o '),
  },
  units: { by: 'pe' },
  money: {
    and: 'și',
    units: { RON: counted('leu', 'lei'), EUR: counted('euro', 'euro') },
    cents: { RON: counted('ban', 'bani'), EUR: counted('cent', 'cenți') },
    signs: { lei: 'RON', leu: 'RON' },
  },
  dates: {
    date: ({ year: ofYear, month, day }) =>
      `${day === 1 ? 'întâi' : year(day)} ${MONTHS[month - 1]}${ofYear === undefined ? '' : ` ${year(ofYear)}`}`,
    shortDates: true,
    dayMonth: ' ',
  },
  electronic: electronicOf('arond|punct|liniuță|linie jos|bară oblică|două puncte'),
  signs: {
    and: 'și',
    hashtag: 'hashtag',
    times: 'ori',
    divided: 'împărțit la',
    plusMinus: 'plus minus',
    by: 'pe',
    score: 'la',
  },
  forms: [
    {
      pattern: /(?<!\p{L})al (?<value>[1-9]\d{0,2})-lea(?!\p{L})/gu,
      words: ({ value }) => ordinal(Number(value)),
    },
    {
      pattern: /(?<!\p{L})a (?<value>[1-9]\d{0,2})-a(?!\p{L})/gu,
      words: ({ value }) => ordinal(Number(value), 'feminine'),
    },
  ],
};

const MONTHS =
  'ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie'.split(
    ' ',
  );

/** CLDR has no ordinals of Romanian: "al treilea", "a treia". */
function ordinal(value: number, series = 'masculine'): string | undefined {
  if (value < 1 || value > 999) return undefined;
  if (series === 'feminine') return value <= 10 ? FIRST[value] : `a ${feminineOf(value)}`;
  if (value === 1) return 'primul';
  const words = cardinal(value).replace(/opt$/u, 'optu').replace(/un$/u, 'unu').replace(/sută$/u, 'sută');
  return `al ${words}lea`;
}

/** "Unsprezecea", "douăzeci și una". */
function feminineOf(value: number): string {
  const words = spellOut('ro', '%spellout-cardinal-feminine', value);
  return words.endsWith('i')
    ? `${words.slice(0, -1)}ea`
    : words.replace(/e$/u, 'ea').replace(/opt$/u, 'opta');
}
