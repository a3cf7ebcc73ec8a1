import { electronicOf, type Facts, noun } from '../language-of.js';
import { START } from '../numerals.js';
import { spellOut } from '../spell-out.js';

const ordinal = (value: number, series = 'masculine') => spellOut('bg', `%spellout-ordinal-${series}`, value);
const GENDERS: Readonly<Record<string, string>> = {
  и: 'masculine',
  я: 'masculine',
  т: 'masculine',
  а: 'feminine',
  о: 'neuter',
};

/** Bulgarian. */
export const facts: Facts = {
  code: 'bg',
  script: '\\p{Script=Cyrillic}',
  numbers: {
    minus: 'минус',
    plus: 'плюс',
    mark: 'запетая',
    to: 'до',
    dot: 'точка',
    equals: 'равно на',
    seriesBefore: (word) =>
      /^\p{Ll}{2,}а$/u.test(word) ? 'feminine' : /^\p{Ll}{2,}[ое]$/u.test(word) ? 'neuter' : 'plain',
  },
  units: { by: 'в' },
  money: {
    and: 'и',
    units: { EUR: noun('евро', 'евро', 'neuter'), BGN: noun('лев', 'лева') },
    cents: { EUR: noun('цент', 'цента'), BGN: noun('стотинка', 'стотинки', 'feminine') },
    signs: { 'лв.': 'BGN', лв: 'BGN' },
  },
  dates: {
    date: ({ year, month, day }) =>
      `${ordinal(day)} ${MONTHS[month - 1]}${year === undefined ? '' : ` ${ordinal(year, 'feminine')} година`}`,
    shortDates: true,
    dayMonth: '(?:-?(?:ви|ри|ти|ми))? ',
    yearWord: ' ?(?:година|г\\.)',
  },
  electronic: electronicOf('кльомба|точка|тире|долна черта|наклонена черта|двоеточие'),
  signs: {
    and: 'и',
    hashtag: 'хаштаг',
    times: 'по',
    divided: 'делено на',
    plusMinus: 'плюс-минус',
    by: 'на',
    score: 'на',
  },
  forms: [
    {
      pattern: new RegExp(
        `${START}(?<value>[1-9]\\d{0,3})-(?:[врмт]?(?<ending>[иао])|(?<full>ия))(?!\\p{L})`,
        'gu',
      ),
      words: ({ value, ending = 'и' }) => ordinal(Number(value), GENDERS[ending]),
    },
  ],
};

const MONTHS = 'януари февруари март април май юни юли август септември октомври ноември декември'.split(' ');
