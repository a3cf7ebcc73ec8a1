import { electronicOf, type Facts, noun4, slavicSeries } from '../language-of.js';
import { spellOut } from '../spell-out.js';
const UNITS =
  ' prvý druhý tretí štvrtý piaty šiesty siedmy ôsmy deviaty desiaty jedenásty dvanásty trinásty štrnásty pätnásty šestnásty sedemnásty osemnásty devätnásty'.split(
    ' ',
  );
const TENS =
  '  dvadsiaty tridsiaty štyridsiaty päťdesiaty šesťdesiaty sedemdesiaty osemdesiaty deväťdesiaty'.split(' ');
/** After a long syllable, the ending is short. */
const ENDINGS: Readonly<Record<string, readonly [long: string, short: string, soft: string]>> = {
  masculine: ['ý', 'y', 'í'],
  feminine: ['á', 'a', 'ia'],
  neuter: ['é', 'e', 'ie'],
  genitive: ['ého', 'eho', 'ieho'],
};

/** CLDR has no ordinals of Slovak. From 100 on, they are rare in texts. */
function ordinal(value: number, form = 'masculine'): string | undefined {
  if (value < 1 || value > 99) return undefined;
  const words = value < 20 ? [UNITS[value]] : [TENS[Math.floor(value / 10)], UNITS[value % 10]];
  const [long = 'ý', short = 'y', soft = 'í'] = ENDINGS[form] ?? [];
  return words
    .filter(Boolean)
    .map((word = '') => word.replace(/ý$/u, long).replace(/y$/u, short).replace(/í$/u, soft))
    .join(' ');
}

const plain = (value: number) => spellOut('sk', '%spellout-numbering', value).replace(/^jednasto/u, 'sto');

/** Slovak. */
export const facts: Facts = {
  code: 'sk',
  numbers: {
    cardinal: (value, series) =>
      series === 'plain' || series === 'common' || series === 'native'
        ? plain(value)
        : spellOut('sk', `%spellout-cardinal-${series}`, value).replace(/^jednasto/u, 'sto'),
    year: plain,
    ordinal,
    ordinalBefore: slavicSeries,
    decimals: (whole, fraction) => {
      const value = Number(whole);
      const name = value === 1 ? 'celá' : value >= 2 && value <= 4 ? 'celé' : 'celých';
      return `${spellOut('sk', '%spellout-cardinal-feminine', value)} ${name} ${Array.from(fraction, (digit) => plain(Number(digit))).join(' ')}`;
    },
    pointMarksOrdinals: true,
    minus: 'mínus',
    plus: 'plus',
    mark: 'celá',
    to: 'až',
    dot: 'bodka',
    equals: 'rovná sa',
  },
  units: { by: 'za' },
  money: {
    units: { EUR: noun4('euro', 'eurá', 'eura', 'neuter', 'eur') },
    cents: { EUR: noun4('cent', 'centy', 'centa', 'masculine', 'centov') },
  },
  dates: {
    date: ({ year, month, day }) =>
      `${ordinal(day, 'genitive')} ${MONTHS[month - 1]}${year === undefined ? '' : ` ${plain(year)}`}`,
    shortDates: true,
    dayMonth: '\\. ',
  },
  electronic: electronicOf('zavináč|bodka|pomlčka|podčiarkovník|lomka|dvojbodka'),
  signs: {
    and: 'a',
    hashtag: 'hashtag',
    times: 'krát',
    divided: 'delené',
    plusMinus: 'plus mínus',
    by: 'krát',
    score: 'ku',
  },
};

const MONTHS =
  'januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra'.split(' ');
