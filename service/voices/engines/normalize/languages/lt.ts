import type { Noun } from '../language.js';
import { electronicOf, type Facts } from '../language-of.js';
import { spellOut } from '../spell-out.js';

const noun3 = (one: string, few: string, other: string, many = other): Noun => ({
  one,
  few,
  many,
  other,
  series: 'masculine',
});
/** The year in the genitive, with its noun. */
const ofYear = (year: number) =>
  `${spellOut('lt', '%spellout-numbering-year', year).replace('tūkstantai', 'tūkstančiai')} metų`;

/** Lithuanian. */
export const facts: Facts = {
  code: 'lt',
  numbers: {
    year: (value) => spellOut('lt', '%spellout-numbering', value),
    minus: 'minus',
    plus: 'plius',
    mark: 'kablelis',
    to: 'iki',
    dot: 'taškas',
    equals: 'lygu',
  },
  forms: [
    {
      pattern:
        /(?<![\p{L}\p{N}.,-])(?<value>[1-9]\d{0,3})-(?:(?:i?as|is|tas)(?:is)?|(?<feminine>a|oji|ioji|ta))(?!\p{L})/gu,
      words: ({ value, feminine }) =>
        spellOut(
          'lt',
          `%spellout-ordinal-${feminine === undefined ? 'masculine' : 'feminine'}`,
          Number(value),
        ),
    },
    {
      pattern: /(?<![\p{L}\p{N}.,])(?<year>[12]\d{3}) m\.(?!\p{L})/gu,
      words: ({ year }) => ofYear(Number(year)),
    },
  ],
  units: { by: 'per' },
  money: {
    units: { EUR: noun3('euras', 'eurai', 'eurų', 'euro') },
    cents: { EUR: noun3('centas', 'centai', 'centų', 'cento') },
  },
  dates: {
    date: ({ year, month, day }) =>
      `${year === undefined ? '' : `${ofYear(year)} `}${MONTHS[month - 1]} ${spellOut('lt', '%spellout-ordinal-feminine', day)}`,
    dayMonth: ' ',
  },
  electronic: electronicOf('eta|taškas|brūkšnelis|pabraukimo ženklas|pasvirasis brūkšnys|dvitaškis'),
  signs: {
    and: 'ir',
    hashtag: 'grotažymė',
    times: 'kart',
    divided: 'padalinta iš',
    plusMinus: 'plius minus',
    by: 'kart',
    score: '',
  },
};

const MONTHS =
  'sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio'.split(
    ' ',
  );
