import { attachedNumerals } from '../../marks/attached-numerals.js';
import { codeForm } from '../../marks/code-form.js';
import { equationForm } from '../../marks/equation-form.js';
import { scoreForms } from '../../marks/score-forms.js';
import { END, START } from '../../numerals.js';
import type { Groups, NormalizationRule } from '../../rule.js';
import type { JapaneseFigures } from './figures.js';

const ERAS: Readonly<Record<string, string>> = { R: '令和', H: '平成', S: '昭和', T: '大正', M: '明治' };
const COMPANIES: Readonly<Record<string, string>> = {
  株: '株式会社',
  有: '有限会社',
  社: '社団法人',
  財: '財団法人',
  学: '学校法人',
  医: '医療法人',
};
const COMPANY_SIGNS: Readonly<Record<string, string>> = { '㈱': '株', '㈲': '有' };
const CODES = '番号|コード|パスワード|暗証|シリアル|型番|(?<![A-Za-z])(?:ID|PIN)';
const HOLIDAYS: Readonly<Record<string, string>> = { 祝: '、祝日', 休: '、休日' };

/** Forms of Japanese without digits, and signs that join figures. */
export const japaneseNames = (figures: JapaneseFigures): NormalizationRule[] => [
  // 10〜15度, 7月初旬〜9月中旬; kana before the sign may be a long vowel.
  {
    pattern: /(?<=[\p{N}\p{Script=Han})%℃°]) ?[〜～~] ?(?=[\p{Script=Han}¥￥$]{0,4}\p{N})/gu,
    words: () => 'から',
  },
  {
    pattern: /(?<=日) ?[(（](?<day>[月火水木金土日])(?:曜日?)?(?:[・･](?<holiday>[祝休]))?[)）]/gu,
    words: ({ day, holiday = '' }) => `、${day}曜日${HOLIDAYS[holiday] ?? ''}`,
  },
  { pattern: /(?<=[\p{N}一二三四五六七八九十数何]) ?[ヶヵカケ箇個](?=[月所国年])/gu, words: () => 'か' },
  {
    pattern: /[(（](?<kind>[株有社財学医])[)）]|(?<sign>[㈱㈲])/gu,
    words: ({ kind = '', sign = '' }) => COMPANIES[kind === '' ? (COMPANY_SIGNS[sign] ?? '') : kind],
  },
  { pattern: /√ ?(?=\p{N})/gu, words: () => 'ルート' },
  { pattern: /(?<![\p{L}\p{N}&/])[#＃](?=[\p{L}_])/gu, words: () => 'ハッシュタグ' },
  attachedNumerals({
    ordinal: '第',
    letters: '\\p{Script=Han}\\p{Script=Katakana}',
    before: /[学史論語理級期部章世]$/u,
    words: figures.number,
  }),
];

export function japaneseForms(figures: JapaneseFigures): NormalizationRule[] {
  const { number, spell } = figures;
  return [
    ...dateForms(figures),
    ...kanaForms(figures),
    ...digitForms(figures),
    ...scoreForms(
      {
        before: '(?:結果|スコア|得点)[はがも:\\s]{0,2}',
        after: '(?:で|の)(?:[勝負敗]|引き分|快勝|辛勝|逆転)',
      },
      (one, other) => `${number(one)}対${number(other)}`,
    ),
    equationForm({
      plus: 'たす',
      minus: 'ひく',
      times: 'かける',
      divided: 'わる',
      equals: () => 'は',
      number: (numeral) => numberOf(numeral, figures),
      space: '',
    }),
    { pattern: /(?<![A-Za-z])No\. ?(?=\d)/giu, words: () => 'ナンバー' },
    {
      pattern: /(?<![\p{N}.,:/-])0+(?<value>[1-9])(?=[月日時分秒年])/gu,
      words: ({ value = '' }) => number(Number(value)),
    },
    {
      pattern: new RegExp(`${START}(?<digits>0\\d{1,14})${END}`, 'gu'),
      words: ({ digits = '' }) => spell(digits),
    },
  ];
}

/** Minutes and the first day of a month in kana: "10分" is no "enough". */
const kanaForms = ({ kana }: JapaneseFigures): NormalizationRule[] =>
  kana === undefined
    ? []
    : [
        {
          pattern: /(?<![\p{N}.,:/-])(?<value>[1-5]\d|[1-9])分(?!の ?\p{N})/gu,
          words: ({ value }) => kana.minutes(Number(value)),
        },
        { pattern: /(?<=\p{N}月)1日(?![間中目])/gu, words: () => kana.firstDay },
      ];

/** Postcodes, emergency numbers and codes. */
const digitForms = ({ spell, dot }: JapaneseFigures): NormalizationRule[] => [
  {
    pattern: /(?:〒\s?|(?<=郵便番号[はが:\s]{0,2}))〒?\s?(?<area>\d{3})-(?<place>\d{4})(?![\p{N}-])/gu,
    words: ({ area = '', place = '' }, before) =>
      `${/郵便番号[はが:\s]{0,2}$/u.test(before) ? '' : '郵便番号'}${spell(area)}の${spell(place)}`,
  },
  {
    pattern: /(?<![\p{N}-])(?<emergency>11[89])(?=番(?:通報|に|へ|を)|へ|に(?:電話|通報|連絡|かけ))/gu,
    words: ({ emergency = '' }) => spell(emergency),
  },
  // 110番 is "ひゃくとおばん"; the dictionary knows it.
  {
    pattern: /(?<![\p{N}.,-])110(?=番(?![\p{N}号目線])|へ|に(?:電話|通報|連絡|かけ))/gu,
    words: () => (dot === undefined ? undefined : 'ひゃくとお'),
  },
  codeForm({ before: `(?:${CODES})[はが:#\\s]{0,3}`, notBefore: '[番号人件]', spell, pause: '、' }),
];

function numberOf(numeral: string, { number, decimal }: JapaneseFigures): string {
  const [whole = '', fraction] = numeral.split('.');
  return fraction === undefined ? number(Number(whole)) : (decimal(whole, fraction) ?? numeral);
}

/** Dates with a letter for the era (JIS X 0301), and dates without a year. */
const dateForms = ({ number }: JapaneseFigures): NormalizationRule[] => [
  {
    pattern:
      /(?<![A-Za-z\p{N}.])(?<era>[RHSTM])\.?(?<year>\d{1,2})\.(?<month>\d{1,2})\.(?<day>\d{1,2})(?![\p{N}.])/gu,
    words: ({ era = '', year, month, day }) => {
      const isDate = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
      if (!isDate) return undefined;
      return `${ERAS[era]}${number(Number(year))}年${number(Number(month))}月${number(Number(day))}日`;
    },
  },
  {
    pattern: /(?<![A-Za-z\p{N}.])(?<era>[RHS])\.(?<year>\d{1,2})(?:年|(?![\p{L}\p{N}.-]))/gu,
    words: ({ era = '', year }) => `${ERAS[era]}${number(Number(year))}年`,
  },
  {
    pattern: new RegExp(
      `${START}(?<month>1[0-2]|0?[1-9])/(?<day>[12]\\d|3[01]|0?[1-9])${END}(?=(?<after>[^\\n]{0,4}))`,
      'gu',
    ),
    words: (groups, before) => dayWords(groups, before, number),
  },
];

const DAY_BEFORE =
  /(?:期限|締切|締め切り|予[約定]|日程|日時|開催|今日|本日|明日|次回|から)[はがも:\s]{0,2}$/u;
const DAY_AFTER =
  /^ ?(?:[(（][月火水木金土日]|まで|から|より|以[降前]|開[始催]|締|[午\d]|に(?!な|減|増|分))/u;

/** 12/24 is a day and 3/4 a fraction, unless the words beside it show which. Other fractions are in their lowest terms. */
function dayWords(
  { month = '', day = '', after = '' }: Groups,
  before: string,
  number: (value: number) => string,
): string | undefined {
  const [numerator, denominator] = [Number(month), Number(day)];
  const isFraction = numerator < denominator && denominator <= 12 && divisorOf(numerator, denominator) === 1;
  if (isFraction && !DAY_BEFORE.test(before) && !DAY_AFTER.test(after)) return undefined;
  return `${number(numerator)}月${number(denominator)}日`;
}

const divisorOf = (one: number, other: number): number => (other === 0 ? one : divisorOf(other, one % other));
