import type { Series } from '../language.js';
import { electronicOf, type Facts, noun4, slavicSeries } from '../language-of.js';
import { spellOut } from '../spell-out.js';
const UNITS =
  ' první druhý třetí čtvrtý pátý šestý sedmý osmý devátý desátý jedenáctý dvanáctý třináctý čtrnáctý patnáctý šestnáctý sedmnáctý osmnáctý devatenáctý'.split(
    ' ',
  );
const TENS = '  dvacátý třicátý čtyřicátý padesátý šedesátý sedmdesátý osmdesátý devadesátý'.split(' ');
const ENDINGS: Readonly<Record<string, readonly [hard: string, soft: string]>> = {
  masculine: ['ý', 'í'],
  feminine: ['á', 'í'],
  neuter: ['é', 'í'],
  genitive: ['ého', 'ího'],
};

/** CLDR has no ordinals of Czech. From 100 on, they are rare in texts. */
function ordinal(value: number, form = 'masculine'): string | undefined {
  if (value < 1 || value > 99) return undefined;
  const words = value < 20 ? [UNITS[value]] : [TENS[Math.floor(value / 10)], UNITS[value % 10]];
  const [hard = 'ý', soft = 'í'] = ENDINGS[form] ?? [];
  return words
    .filter(Boolean)
    .map((word = '') => word.replace(/ý$/u, hard).replace(/í$/u, soft))
    .join(' ');
}

const cardinal = (value: number, series: Series) =>
  spellOut('cs', series === 'plain' ? '%spellout-numbering' : `%spellout-cardinal-${series}`, value)
    .replaceAll('dvě tisíce', 'dva tisíce')
    .replace(/^jedna? tisíc/u, 'tisíc');

/** Czech. */
export const czech: Facts = {
  code: 'cs',
  numbers: {
    cardinal: (value, series) => cardinal(value, series === 'common' ? 'masculine' : series),
    year: (value) => cardinal(value, 'plain'),
    ordinal,
    ordinalBefore: slavicSeries,
    decimals: (whole, fraction) => {
      const value = Number(whole);
      const name = value === 1 ? 'celá' : value >= 2 && value <= 4 ? 'celé' : 'celých';
      return `${cardinal(value, 'feminine')} ${name} ${Array.from(fraction, (digit) => cardinal(Number(digit), 'plain')).join(' ')}`;
    },
    pointMarksOrdinals: true,
    minus: 'minus',
    plus: 'plus',
    mark: 'celá',
    to: 'až',
    dot: 'tečka',
    equals: 'rovná se',
  },
  units: { by: 'za' },
  money: {
    units: {
      CZK: noun4('koruna', 'koruny', 'koruny', 'feminine', 'korun'),
      EUR: noun4('euro', 'eura', 'eura', 'neuter', 'eur'),
    },
    cents: {
      CZK: noun4('haléř', 'haléře', 'haléře', 'masculine', 'haléřů'),
      EUR: noun4('cent', 'centy', 'centu', 'masculine', 'centů'),
    },
    signs: { Kč: 'CZK' },
  },
  dates: {
    date: ({ year, month, day }) =>
      `${ordinal(day, 'genitive')} ${MONTHS[month - 1]}${year === undefined ? '' : ` ${cardinal(year, 'plain')}`}`,
    shortDates: true,
    dayMonth: '\\. ',
  },
  electronic: electronicOf('zavináč|tečka|pomlčka|podtržítko|lomítko|dvojtečka'),
  signs: {
    and: 'a',
    hashtag: 'hashtag',
    times: 'krát',
    divided: 'děleno',
    plusMinus: 'plus minus',
    by: 'krát',
    score: 'ku',
  },
};

const MONTHS = 'ledna února března dubna května června července srpna září října listopadu prosince'.split(
  ' ',
);
