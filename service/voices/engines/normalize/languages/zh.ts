import { codeForm } from '../marks/code-form.js';
import { equationForm } from '../marks/equation-form.js';
import { scoreForms } from '../marks/score-forms.js';
import type { ClockTime, Noun } from '../language.js';
import type { Facts } from '../language-of.js';
import { END, START } from '../numerals.js';
import { spellOut } from '../spell-out.js';

const DIGITS = '零一二三四五六七八九';
const cardinal = (value: number) => spellOut('zh', '%spellout-cardinal', value);
const spelled = (digits: string) => Array.from(digits, (digit) => DIGITS.charAt(Number(digit))).join('');
/** On the telephone, one is 幺, because 一 and 七 sound alike. */
const dialled = (digits: string) => spelled(digits).replaceAll('一', '幺');
const noun = (other: string): Noun => ({ one: other, other, series: 'plain' });
/** Before a measure word, two is 两. */
const counted = (value: number) => (value === 2 ? '两' : cardinal(value));
const decimal = (whole: string, fraction: string) => `${cardinal(Number(whole))}点${spelled(fraction)}`;

const COUNTERS =
  '个|小时|分钟|秒钟|天|周|年(?!级)|次|位|名|人|本|张|只|条|件|辆|台|杯|瓶|扇|盏|间|套|份|包|箱|双|公里|公斤|千克|克|米|升|倍|种|块|元|美元|欧元|日元|英镑|万|亿|千';
const CODES = '(?:码|编号|账号|卡号|密码|邮编|序列号|订单号)(?:是|为)?[:]? ?';

/** Chinese, with the words of the mainland in simplified characters. */
export const facts: Facts = {
  code: 'zh',
  numbers: {
    minus: '负',
    plus: '正',
    mark: '点',
    to: '到',
    dot: '点',
    cardinal,
    decimals: decimal,
    ordinal: (value) => `第${cardinal(value)}`,
    space: '',
    range: (from, until) => `${from}到${until}`,
    year: cardinal,
  },
  units: {
    per: (name) => `每${name}`,
    rate: (name, per) => `每${per}#${name}`,
    names: {
      '%': noun('百分之#'),
      '‰': noun('千分之#'),
      '°': noun('度'),
      '°C': noun('摄氏度'),
      '°F': noun('华氏度'),
      'km/h': noun('每小时#公里'),
      'm/s': noun('每秒#米'),
      mph: noun('每小时#英里'),
      kWh: noun('千瓦时'),
      hPa: noun('百帕'),
      Mbps: noun('兆比特每秒'),
      dB: noun('分贝'),
      h: noun('小时'),
      min: noun('分钟'),
      s: noun('秒'),
    },
  },
  money: {
    units: {
      CNY: noun('元'),
      USD: noun('美元'),
      EUR: noun('欧元'),
      GBP: noun('英镑'),
      JPY: noun('日元'),
      KRW: noun('韩元'),
    },
    signs: { '¥': 'CNY', '￥': 'CNY' },
    scales: { 千: '千', 万: '万', 百万: '百万', 千万: '千万', 亿: '亿', 万亿: '万亿' },
  },
  dates: {
    date: ({ year, month, day }) =>
      `${year === undefined ? '' : `${spelled(String(year))}年`}${cardinal(month)}月${cardinal(day)}日`,
  },
  times: { time, suffix: '(?!)' },
  phones: {
    patterns: ['1[3-9]\\d{9}', '1[3-9]\\d[ -]\\d{4}[ -]\\d{4}', '[48]00-\\d{3}-?\\d{4}'],
    pause: '、',
    digit: (digit) => dialled(String(digit)),
    group: dialled,
  },
  electronic: {
    spelledNames: false,
    signs: { '@': '艾特', '.': '点', '-': '杠', _: '下划线', '/': '斜杠', ':': '冒号', '://': '冒号双斜杠' },
    words: {},
  },
  fraction: ({ whole, numerator, denominator }) => {
    if (denominator < 2) return undefined;
    const words = `${cardinal(denominator)}分之${cardinal(numerator)}`;
    return whole === undefined ? words : `${cardinal(Number(whole))}又${words}`;
  },
  forms: [
    // "UTC+8": elsewhere, the sign of a number is 正.
    {
      sign: /(?:UTC|GMT) ?[+−-]/u,
      pattern:
        /(?<![\p{L}\p{N}])(?<zone>UTC|GMT) ?(?<sign>[+−-])0?(?<hours>\d|1[0-4])(?::00)?(?![\p{N}:.])/gu,
      words: ({ zone, sign, hours }) => `${zone}${sign === '+' ? '加' : '减'}${cardinal(Number(hours))}`,
    },
    codeForm({ before: CODES, notBefore: '[位个]', spell: spelled, pause: '、' }),
    ...scoreForms(
      {
        before: '(?:比分|结果|得分)(?:是|为)?[:]? ?',
        after: ' ?(?:战胜|击败|获胜|领先|落后|不敌|负于|战平|打平|险胜)',
      },
      (one, other) => `${cardinal(one)}比${cardinal(other)}`,
    ),
    equationForm({
      plus: '加',
      minus: '减',
      times: '乘以',
      divided: '除以',
      equals: () => '等于',
      number: (numeral) => {
        const [whole = '', fraction] = numeral.split('.');
        return fraction === undefined ? cardinal(Number(whole)) : decimal(whole, fraction);
      },
      space: '',
    }),
    // 2026年 is read digit by digit, 10年 are ten years.
    {
      pattern: /(?<![\p{N}.,])(?<year>[12]\d{3})(?=年(?!级|前|后))/gu,
      words: ({ year = '' }) => spelled(year),
    },
    {
      pattern: /(?<=(?:拨打|致电|呼叫|请拨|请打) ?)(?<digits>\d{3,5})(?![\p{N}.,-])/gu,
      words: ({ digits = '' }) => dialled(digits),
    },
    {
      pattern:
        /(?<![\p{N}.,])[¥￥] ?(?<whole>\d{1,3}(?:,\d{3}){1,3}|\d{1,9})\.(?<tenth>\d)(?<hundredth>\d)(?![\p{N}.,万亿千百])/gu,
      words: ({ whole = '', tenth, hundredth }) =>
        yuan(Number(whole.replaceAll(',', '')), Number(tenth), Number(hundredth)),
    },
    {
      pattern: new RegExp(`${START}(?<!第)2(?= ?(?:${COUNTERS}))`, 'gu'),
      words: () => counted(2),
    },
    {
      pattern: /(?<![\p{N}.,:/-])0+(?<value>[1-9])(?=[月日号时点分秒])/gu,
      words: ({ value }) => cardinal(Number(value)),
    },
    {
      pattern: new RegExp(`${START}(?<digits>0\\d{1,14})${END}`, 'gu'),
      words: ({ digits = '' }) => spelled(digits),
    },
  ],
};

/** Yuan, tenths and hundredths have names: 十二元五角. */
function yuan(whole: number, tenth: number, hundredth: number): string {
  const units = whole === 0 && tenth + hundredth > 0 ? '' : `${counted(whole)}元`;
  const gap = tenth === 0 && hundredth > 0 && units !== '' ? '零' : '';
  const tenths = tenth === 0 ? gap : `${counted(tenth)}角`;
  return `${units}${tenths}${hundredth === 0 ? '' : `${cardinal(hundredth)}分`}`;
}

function time({ hour, minute, second }: ClockTime): string {
  const minutes =
    minute === 0 && second === 0 ? '' : `${minute < 10 ? '零' : ''}${minute === 0 ? '' : cardinal(minute)}分`;
  return `${counted(hour)}点${minutes}${second === 0 ? '' : `${cardinal(second)}秒`}`;
}
