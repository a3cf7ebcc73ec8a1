import { electronicOf, type Facts, noun } from '../language-of.js';
import { spellOut } from '../spell-out.js';

/** Finnish. */
export const facts: Facts = {
  code: 'fi',
  numbers: {
    pointMarksOrdinals: true,
    minus: 'miinus',
    plus: 'plus',
    mark: 'pilkku',
    to: 'viiva',
    dot: 'piste',
    equals: 'on',
    ordinal: (value) => spellOut('fi', '%spellout-ordinal', value),
    ordinalBefore: () => 'plain',
  },
  units: { by: 'per' },
  money: {
    and: 'ja',
    units: { EUR: noun('euro', 'euroa') },
    cents: { EUR: noun('sentti', 'senttiä') },
  },
  dates: {
    date: ({ year, month, day }) =>
      `${spellOut('fi', '%spellout-ordinal', day)} ${MONTHS[month - 1]}kuuta${year === undefined ? '' : ` ${spellOut('fi', '%spellout-numbering', year)}`}`,
    shortDates: true,
    dayMonth: '\\. ',
  },
  electronic: electronicOf('ät-merkki|piste|viiva|alaviiva|kauttaviiva|kaksoispiste'),
  signs: {
    and: 'ja',
    hashtag: 'hashtag',
    times: 'kertaa',
    divided: 'jaettuna',
    plusMinus: 'plus miinus',
    by: 'kertaa',
    score: '',
  },
};

const MONTHS = 'tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu'.split(' ');
