import { electronicOf, type Facts, noun } from '../language-of.js';
import { spellOut } from '../spell-out.js';

/** Danish. */
export const facts: Facts = {
  code: 'da',
  numbers: {
    pointMarksOrdinals: true,
    minus: 'minus',
    plus: 'plus',
    mark: 'komma',
    to: 'til',
    dot: 'punktum',
    equals: 'er lig med',
    ordinalBefore: () => 'common',
    year: (value) => spellOut('da', value < 2000 ? '%spellout-numbering-year' : '%spellout-numbering', value),
  },
  money: {
    and: 'og',
    units: { DKK: noun('krone', 'kroner', 'common'), EUR: noun('euro', 'euro', 'common') },
    cents: { DKK: noun('øre', 'øre', 'common'), EUR: noun('cent', 'cent', 'common') },
    signs: { 'kr.': 'DKK', kr: 'DKK' },
  },
  dates: {
    date: ({ year, month, day }, before) =>
      `${/(?:^|[^\p{L}])den $/iu.test(before) ? '' : 'den '}${spellOut('da', '%spellout-ordinal-common', day)} ${MONTHS[month - 1]}${year === undefined ? '' : ` ${spellOut('da', year < 2000 ? '%spellout-numbering-year' : '%spellout-numbering', year)}`}`,
    shortDates: true,
    dayMonth: '\\. ',
  },
  electronic: electronicOf('snabel-a|punktum|bindestreg|understreg|skråstreg|kolon'),
  signs: {
    and: 'og',
    hashtag: 'hashtag',
    times: 'gange',
    divided: 'divideret med',
    plusMinus: 'plus minus',
    by: 'gange',
    score: '',
  },
  units: {
    by: 'per',
    names: {
      t: { one: 'time', other: 'timer', series: 'common' },
      'km/t': { one: 'kilometer i timen', other: 'kilometer i timen', series: 'common' },
    },
  },
};

const MONTHS = 'januar februar marts april maj juni juli august september oktober november december'.split(
  ' ',
);
