import { codeForm } from '../../marks/code-form.js';
import { equationForm } from '../../marks/equation-form.js';
import { scoreForms } from '../../marks/score-forms.js';
import { START } from '../../numerals.js';
import type { Groups, NormalizationRule } from '../../rule.js';
import { endsInConsonant, hourWord, monthName, native, sino, spelled } from './numbers.js';

/** Nouns that are counted with native number words up to 99. */
const NATIVELY_COUNTED =
  '시간|자리|개(?![월국소년])|명|살|마리|권|잔|병|번째|달(?!러)|사람|가지|송이|켤레|벌|그루|군데|쌍|대(?![\\d ]|회|응|기|상)|통(?!신|화)';
/** Tens before 대 are an age: 삼십 대. */
const IS_AGE = /^[1-9]0$/u;
const DASH = ' ?[-–~〜～] ?';
const CODES = '(?:번호|코드|암호|비밀번호)(?:는|은|가|이)?[:#]? ?';

export const koreanForms: readonly NormalizationRule[] = [
  {
    pattern:
      /(?<![\p{N}.])(?<year>\d{4})\. ?(?<month>1[0-2]|0?[1-9])\. ?(?<day>3[01]|[12]\d|0?[1-9])(?:\.(?=\p{Script=Hangul}|\())?(?![\p{N}]|\.\p{N})/gu,
    words: ({ year, month, day }) =>
      `${sino(Number(year))}년 ${monthName(Number(month))} ${sino(Number(day))}일`,
  },
  codeForm({ before: CODES, notBefore: '번|호|명|건', spell: spelled, pause: ', ' }),
  ...scoreForms(
    {
      before: '(?:점수|스코어|결과)[는은가] ',
      after: '(?:으?로|의) ?(?:이[기겼긴]|승|비[기겼]|[패졌지]|앞[서섰]|역전|리드)',
    },
    (one, other) => `${sino(one)} 대 ${sino(other)}`,
  ),
  equationForm({
    plus: '더하기',
    minus: '빼기',
    times: '곱하기',
    divided: '나누기',
    equals: (before) => (endsInConsonant(before) ? '은' : '는'),
    number: (numeral) => {
      const [whole, fraction] = numeral.split('.');
      const words = sino(Number(whole));
      return fraction === undefined
        ? words
        : `${words}점${Array.from(fraction, (digit) => sino(Number(digit))).join('')}`;
    },
    space: ' ',
  }),
  {
    pattern: /(?<=(?:끝자리|자리) )(?<digits>\d{4})(?!\p{N})/gu,
    words: ({ digits = '' }) => Array.from(digits, (digit) => sino(Number(digit))).join(''),
  },
  {
    pattern: /(?<=\p{L}|\s)0(?<minute>[1-9])(?=분)/gu,
    words: ({ minute }) => ` ${sino(Number(minute))}`,
  },
  {
    pattern: new RegExp(`${START}(?<sign>-?)(?<whole>\\d{1,4})(?<and>[과와])(?=√?\\d{1,4}/√?\\d)`, 'gu'),
    words: ({ sign, whole, and }) => `${sign === '' ? '' : '마이너스 '}${sino(Number(whole))}${and} `,
  },
  {
    pattern:
      /(?<![\p{N}/.-])(?<top>√?)(?<numerator>\d{1,6})\/(?<root>√?)(?<denominator>\d{1,6})(?<particle>[이가은는을를](?!\p{L}))?(?![\p{N}/])/gu,
    words: fractionWords,
  },
  {
    pattern: /(?<denominator>\d{1,6})분의 ?(?<numerator>\d{1,6})/gu,
    words: ({ denominator, numerator }) => `${sino(Number(denominator))}분의 ${sino(Number(numerator))}`,
  },
  {
    pattern: /(?<=\d일) ?\((?<day>[월화수목금토일])\)/gu,
    words: ({ day }) => ` ${day}요일`,
  },
  { pattern: /(?<=\d일|요일|\d[월년]) ?[〜～~] ?(?=\d)/gu, words: () => ' 부터 ' },
  { pattern: /(?<=\d월 ?\d{1,2}) ?[〜～~] ?(?=\d{1,2}일)/gu, words: () => ' 부터 ' },
  { pattern: /(?<=\d[년월]|기원[전후])(?=\d)/gu, words: () => ' ' },
  {
    pattern: new RegExp(`${START}(?<month>0?[1-9]|1[0-2])월`, 'gu'),
    words: ({ month }) => monthName(Number(month)),
  },
  {
    pattern: new RegExp(`${START}(?<from>1?\\d|2[0-4])시?${DASH}(?<to>1?\\d|2[0-4])시(?![간속])`, 'gu'),
    words: ({ from, to }) => `${hourWord(Number(from))} 시에서 ${hourWord(Number(to))} 시`,
  },
  {
    pattern: new RegExp(
      `${START}(?<from>\\d{1,2})${DASH}(?<to>\\d{1,2})(?<gap> ?)(?<counter>${NATIVELY_COUNTED})`,
      'gu',
    ),
    words: ({ from, to, gap = '', counter = '' }) =>
      `${native(Number(from))}${gap}${counter}에서 ${native(Number(to))}${gap}${counter}`,
  },
  {
    pattern: new RegExp(`${START}(?<hour>[01]?\\d|2[0-4])(?<gap> ?)시(?![간속])`, 'gu'),
    words: ({ hour, gap = '' }) => `${hourWord(Number(hour))}${gap}시`,
  },
  {
    pattern: new RegExp(`${START}(?<value>\\d{1,2})(?<gap> ?)(?<counter>${NATIVELY_COUNTED})`, 'gu'),
    words: ({ value = '', gap = '', counter = '' }) =>
      counter === '대' && IS_AGE.test(value)
        ? undefined
        : `${counter === '번째' && value === '1' ? '첫' : native(Number(value))}${gap}${counter}`,
  },
];

/** Particles after a consonant, with their form after a vowel. */
const PARTICLES: Readonly<Record<string, string>> = { 이: '가', 은: '는', 을: '를' };

/** A fraction; the particle after it fits the end of the last number, and not the figure. */
function fractionWords({ top, numerator, root, denominator, particle = '' }: Groups): string | undefined {
  const last = sino(Number(numerator));
  const fitting = endsInConsonant(last) ? particle : (PARTICLES[particle] ?? particle);
  if (Number(denominator) < 2 || (particle === '' && top === '' && root === '')) return undefined;
  return `${root === '' ? '' : '루트 '}${sino(Number(denominator))}분의 ${top === '' ? '' : '루트 '}${last}${fitting}`;
}
