import { attachedNumerals } from '../../marks/attached-numerals.js';
import type { NormalizationRule } from '../../rule.js';
import type { ClockTime, Language, Noun, Series } from '../../language.js';
import { koreanForms } from './forms.js';
import { hourWord, monthName, native, sino, spelled } from './numbers.js';

function noun(name: string, series: Series = 'plain'): Noun {
  return { one: name, other: name, series };
}

const MAX_NATIVE = 99;

const COMPANIES: Readonly<Record<string, string>> = {
  주: '주식회사',
  유: '유한회사',
  사: '사단법인',
  재: '재단법인',
};

/** Korean signs and abbreviations without digits. */
const names: readonly NormalizationRule[] = [
  {
    pattern: /\((?<kind>[주유사재])\) ?(?=\p{Script=Hangul})|㈜ ?/gu,
    words: ({ kind = '주' }) => `${COMPANIES[kind]} `,
  },
  {
    pattern: /(?<=\p{Script=Hangul})\((?<kind>[주유사재])\)/gu,
    words: ({ kind = '' }) => ` ${COMPANIES[kind]}`,
  },
  { pattern: /(?<![\p{L}\p{N}&/])#(?=[\p{L}_])/gu, words: () => '해시태그 ' },
  { pattern: /(?<=\p{L} ?)(?<![A-Za-z])vs\.?(?= ?\p{Script=Hangul})/giu, words: () => '대' },
  {
    pattern: /\((?<from>[월화수목금토일]) ?[〜～~-] ?(?<to>[월화수목금토일])\)/gu,
    words: ({ from, to }) => ` ${from}요일부터 ${to}요일`,
  },
  attachedNumerals({
    ordinal: '제',
    letters: '\\p{Script=Hangul}',
    before: /[학사론리어]$/u,
    words: (value, isOrdinal) => (isOrdinal ? sino(value) : ` ${sino(value)}`),
  }),
];

/** Korean: Sino-Korean number words, native ones for hours and counted things. */
export const language: Language = {
  code: 'ko',
  numbers: {
    cardinal: (value, series) => (series === 'native' && value <= MAX_NATIVE ? native(value) : sino(value)),
    ordinal: (value) => `${value === 1 ? '첫' : native(value)} 번째`,
    decimal: '.',
    point: { '.': '점', ',': '점' },
    decimals: (whole, fraction) =>
      `${sino(Number(whole))}점${Array.from(fraction, (digit) => sino(Number(digit))).join('')}`,
    joinsDecimals: false,
    spacesThousands: false,
    minus: '마이너스',
    plus: '플러스',
    space: ' ',
    range: (from, to) => `${from}에서 ${to}`,
    dot: '점',
    year: sino,
  },
  units: {
    prefixes: {
      k: '킬로',
      K: '킬로',
      M: '메가',
      G: '기가',
      T: '테라',
      m: '밀리',
      c: '센티',
      d: '데시',
      h: '헥토',
      µ: '마이크로',
    },
    names: {
      m: noun('미터'),
      g: noun('그램'),
      t: noun('톤'),
      l: noun('리터'),
      L: noun('리터'),
      s: noun('초'),
      min: noun('분'),
      h: noun('시간', 'native'),
      W: noun('와트'),
      Wh: noun('와트시'),
      V: noun('볼트'),
      N: noun('뉴턴'),
      rpm: noun('분당회전수'),
      VA: noun('볼트암페어'),
      A: noun('암페어'),
      Ah: noun('암페어시'),
      Hz: noun('헤르츠'),
      Pa: noun('파스칼'),
      bar: noun('바'),
      B: noun('바이트'),
      bit: noun('비트'),
      J: noun('줄'),
      cal: noun('칼로리'),
      Ω: noun('옴'),
      dB: noun('데시벨'),
      lx: noun('럭스'),
      lm: noun('루멘'),
      bps: noun('비피에스'),
      kbps: noun('킬로비피에스'),
      Mbps: noun('메가비피에스'),
      Gbps: noun('기가비피에스'),
      ppm: noun('피피엠'),
      mph: noun('시속 # 마일'),
      'km/h': noun('시속 # 킬로미터'),
      'm/s': noun('초속 # 미터'),
      '°C': noun('도'),
      '°F': noun('화씨 # 도'),
      '°': noun('도'),
      '%': noun('퍼센트'),
      '‰': noun('퍼밀'),
    },
    square: (name) => `제곱${name}`,
    cube: (name) => `세제곱${name}`,
    per: (name) => `퍼 ${name}`,
    afterMillion: (name) => name,
  },
  money: {
    currencies: {
      EUR: { unit: noun('유로'), cent: noun('센트') },
      USD: { unit: noun('달러'), cent: noun('센트') },
      GBP: { unit: noun('파운드'), cent: noun('펜스') },
      CHF: { unit: noun('스위스 프랑') },
      JPY: { unit: noun('엔') },
      KRW: { unit: noun('원') },
    },
    join: (units, cents) => `${units} ${cents}`,
    scales: { 만: '#만', 억: '#억', 조: '#조' },
  },
  dates: {
    date: ({ year, month, day }) => {
      const name = `${monthName(month)} ${sino(day)}일`;
      return year === undefined ? name : `${sino(year)}년 ${name}`;
    },
    monthFirst: false,
    shortDates: false,
  },
  times: { time, suffix: '(?!)' },
  phones: {
    patterns: [
      '\\(\\d{3}\\)[ -]?\\d{3}-\\d{4}',
      '\\d{3}[-.]\\d{3}[-.]\\d{4}',
      '\\d{4}(?:-\\d{4}){3}',
      '1[5-8]\\d{2}-\\d{4}',
    ],
    pause: ', ',
    digit: (digit) => (digit === 0 ? '공' : sino(digit)),
    group: spelled,
  },
  attachesUnits: true,
  electronic: {
    spelledNames: false,
    signs: {
      '@': '골뱅이',
      '.': '닷',
      '-': '하이픈',
      _: '언더바',
      '/': '슬래시',
      ':': '콜론',
      '://': '콜론 슬래시 슬래시',
    },
    words: {
      com: '컴',
      net: '넷',
      org: '오알지',
      co: '씨오',
      kr: '케이알',
      fr: '에프알',
      it: '아이티',
      app: '앱',
      jpg: '제이피지',
      pdf: '피디에프',
    },
  },
  fraction: ({ whole, numerator, denominator }) => {
    if (denominator < 2) return undefined;
    const words = `${sino(denominator)}분의 ${sino(numerator)}`;
    return whole === undefined ? words : `${sino(Number(whole))}과 ${words}`;
  },
  names,
  forms: koreanForms,
};

function time({ hour, minute, second }: ClockTime): string {
  const minutes = minute === 0 && second === 0 ? '' : ` ${sino(minute)} 분`;
  const seconds = second === 0 ? '' : ` ${sino(second)} 초`;
  return `${hourWord(hour)} 시${minutes}${seconds}`;
}
