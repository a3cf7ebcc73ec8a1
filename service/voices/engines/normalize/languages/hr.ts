import type { Noun } from '../language.js';
import { electronicOf, type Facts, slavicSeries } from '../language-of.js';
import { spellOut } from '../spell-out.js';

const noun3 = (one: string, few: string, other: string): Noun => ({ one, few, other, series: 'masculine' });
/** "Treći" is "trećeg" in the genitive, "prvi" is "prvog". */
const genitive = (words: string) => words.replace(/(?<=[ćčšžđj])i$/u, 'eg').replace(/i$/u, 'og');

/** Croatian. */
export const facts: Facts = {
  code: 'hr',
  numbers: {
    pointMarksOrdinals: true,
    minus: 'minus',
    plus: 'plus',
    mark: 'zarez',
    to: 'do',
    dot: 'točka',
    equals: 'jednako je',
    ordinalBefore: slavicSeries,
  },
  units: { by: 'po' },
  money: {
    and: 'i',
    units: { EUR: noun3('euro', 'eura', 'eura') },
    cents: { EUR: noun3('cent', 'centa', 'centi') },
  },
  dates: {
    date: ({ year, month, day }) =>
      `${genitive(spellOut('hr', '%spellout-ordinal-masculine', day))} ${MONTHS[month - 1]}${year === undefined ? '' : ` ${spellOut('hr', '%spellout-ordinal-feminine', year).replace(/a$/u, 'e')} godine`}`,
    shortDates: true,
    dayMonth: '\\. ',
    yearWord: '\\.? godine',
  },
  electronic: electronicOf('et|točka|crtica|donja crta|kosa crta|dvotočka'),
  signs: {
    and: 'i',
    hashtag: 'hashtag',
    times: 'puta',
    divided: 'podijeljeno s',
    plusMinus: 'plus minus',
    by: 'puta',
    score: 'naprema',
  },
};

const MONTHS =
  'siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca'.split(
    ' ',
  );
