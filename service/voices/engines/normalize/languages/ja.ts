import type { ClockTime, Language, Noun } from '../language.js';

function noun(name: string): Noun {
  return { one: name, other: name, series: 'plain' };
}

const DIGITS = ['ゼロ', 'イチ', 'ニ', 'サン', 'ヨン', 'ゴ', 'ロク', 'ナナ', 'ハチ', 'キュー'];

/** Japanese: figures in the usual order with Japanese nouns. Numbers stay digits, because their reading depends on the noun. */
export const japanese: Language = {
  code: 'ja',
  numbers: {
    cardinal: String,
    ordinal: (value) => `${value}番目`,
    decimal: '.',
    point: { '.': '.', ',': '.' },
    joinsDecimals: false,
    spacesThousands: false,
    minus: 'マイナス',
    plus: 'プラス',
    space: '',
    range: (from, to) => `${from}から${to}`,
    year: String,
  },
  units: {
    prefixes: {
      k: 'キロ',
      K: 'キロ',
      M: 'メガ',
      G: 'ギガ',
      T: 'テラ',
      m: 'ミリ',
      c: 'センチ',
      d: 'デシ',
      h: 'ヘクト',
      µ: 'マイクロ',
    },
    names: {
      cm: noun('センチ'),
      mm: noun('ミリ'),
      Wh: noun('ワット時'),
      VA: noun('ボルトアンペア'),
      Ah: noun('アンペア時'),
      B: noun('バイト'),
      bit: noun('ビット'),
      dB: noun('デシベル'),
      ppm: noun('ピーピーエム'),
      mph: noun('時速#マイル'),
      'km/h': noun('時速#キロメートル'),
      'm/s': noun('秒速#メートル'),
      '°C': noun('度'),
      '°F': noun('華氏#度'),
    },
    square: (name) => `平方${name}`,
    cube: (name) => `立方${name}`,
    per: (name) => `毎${name}`,
    afterMillion: (name) => name,
  },
  money: {
    currencies: {
      EUR: { unit: noun('ユーロ'), cent: noun('セント') },
      USD: { unit: noun('ドル'), cent: noun('セント') },
      GBP: { unit: noun('ポンド'), cent: noun('ペンス') },
      CHF: { unit: noun('スイスフラン') },
      JPY: { unit: noun('円') },
      KRW: { unit: noun('ウォン') },
    },
    join: (units, cents) => `${units}${cents}`,
    scales: { 万: '万', 億: '億' },
  },
  dates: {
    date: ({ year, month, day }) => `${year === undefined ? '' : `${year}年`}${month}月${day}日`,
    monthFirst: false,
    shortDates: false,
  },
  times: { time, suffix: '(?!)' },
  phones: { patterns: [], pause: '、', digit: (digit) => DIGITS[digit] ?? '' },
  forms: [],
};

function time({ hour, minute, second }: ClockTime): string {
  const minutes = minute === 0 && second === 0 ? '' : `${minute}分`;
  return `${hour}時${minutes}${second === 0 ? '' : `${second}秒`}`;
}
