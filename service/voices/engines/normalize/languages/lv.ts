import { electronicOf, type Facts, noun } from '../language-of.js';
import { spellOut } from '../spell-out.js';

/** Latvian. */
export const facts: Facts = {
  code: 'lv',
  numbers: {
    pointMarksOrdinals: true,
    minus: 'mīnus',
    plus: 'plus',
    mark: 'komats',
    to: 'līdz',
    dot: 'punkts',
    equals: 'ir',
    ordinal: (value, series) => ordinal(value, series === 'feminine' ? 'ā' : 'ais'),
    ordinalBefore: (word) => (/[ae]$/u.test(word) ? 'feminine' : 'masculine'),
  },
  units: { by: 'uz' },
  money: {
    and: 'un',
    units: { EUR: noun('eiro') },
    cents: { EUR: noun('cents', 'centi') },
  },
  dates: {
    date: ({ year, month, day }) =>
      `${year === undefined ? '' : `${ordinal(year, 'ā') ?? spellOut('lv', '%spellout-numbering-year', year)} gada `}${ordinal(day, 'ais')} ${MONTHS[month - 1]}`,
    shortDates: true,
    dayMonth: '\\. ',
  },
  electronic: electronicOf('et|punkts|defise|pasvītra|slīpsvītra|kols'),
  signs: {
    and: 'un',
    hashtag: 'tēmturis',
    times: 'reiz',
    divided: 'dalīts ar',
    plusMinus: 'plus mīnus',
    by: 'reiz',
    score: 'pret',
  },
};

const MONTHS =
  'janvāris februāris marts aprīlis maijs jūnijs jūlijs augusts septembris oktobris novembris decembris'.split(
    ' ',
  );
const STEMS = ' pirm otr treš ceturt piekt sest septīt astot devīt desmit'.split(' ');

/** CLDR has no ordinals of Latvian: only the last word is one. Round hundreds are rare in texts. */
function ordinal(value: number, ending: 'ais' | 'ā'): string | undefined {
  const rest = value % 100;
  if (rest === 0 || value > 9999) return undefined;
  const head = value === rest ? '' : `${spellOut('lv', '%spellout-numbering', value - rest)} `;
  if (rest <= 10) return `${head}${STEMS[rest]}${ending}`;
  if (rest < 20 || rest % 10 === 0) return `${head}${spellOut('lv', '%spellout-numbering', rest)}${ending}`;
  return `${head}${spellOut('lv', '%spellout-numbering', rest - (rest % 10))} ${STEMS[rest % 10]}${ending}`;
}
