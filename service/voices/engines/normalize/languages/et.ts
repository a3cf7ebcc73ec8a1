import { spellOut } from '../spell-out.js';
import { electronicOf, type Facts, noun } from '../language-of.js';

/** Estonian. */
export const facts: Facts = {
  code: 'et',
  numbers: {
    year: (value) => spellOut('et', '%spellout-numbering', value),
    pointMarksOrdinals: true,
    minus: 'miinus',
    plus: 'pluss',
    mark: 'koma',
    to: 'kuni',
    dot: 'punkt',
    equals: 'võrdub',
    ordinal,
    ordinalBefore: () => 'plain',
  },
  units: { by: '' },
  money: {
    and: 'ja',
    units: { EUR: noun('euro', 'eurot') },
    cents: { EUR: noun('sent', 'senti') },
  },
  dates: {
    date: ({ year, month, day }) =>
      `${ordinal(day)} ${MONTHS[month - 1]}${year === undefined ? '' : ` ${spellOut('et', '%spellout-numbering', year)}`}`,
    shortDates: true,
    dayMonth: '\\. ',
  },
  electronic: electronicOf('ätt|punkt|sidekriips|alakriips|kaldkriips|koolon'),
  signs: {
    and: 'ja',
    hashtag: 'teemaviide',
    times: 'korda',
    divided: 'jagatud',
    plusMinus: 'pluss-miinus',
    by: 'korda',
    score: '',
  },
};

const MONTHS =
  'jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember'.split(' ');
const ORDINALS = ' esimene teine kolmas neljas viies kuues seitsmes kaheksas üheksas kümnes'.split(' ');
/** The genitive of the units, which begins the ordinals from 11 on. */
const GENITIVES = ' ühe kahe kolme nelja viie kuue seitsme kaheksa üheksa'.split(' ');

/** CLDR has no ordinals of Estonian. From 100 on, they are rare in texts. */
function ordinal(value: number): string | undefined {
  if (value < 1 || value > 99) return undefined;
  if (value <= 10) return ORDINALS[value];
  if (value < 20) return `${GENITIVES[value - 10]}teistkümnes`;
  const [tens, rest] = [GENITIVES[Math.floor(value / 10)], value % 10];
  return rest === 0 ? `${tens}kümnes` : `${tens}kümne ${ORDINALS[rest]}`;
}
