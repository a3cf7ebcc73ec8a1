import type {
  ClockTime,
  ElectronicWords,
  Language,
  MoneyWords,
  Noun,
  UnitWords,
  NumberWords,
} from '../../language.js';
import { type JapaneseFigures, inDigits, inKanji, inWords } from './figures.js';
import { japaneseForms, japaneseNames } from './forms.js';

function noun(name: string): Noun {
  return { one: name, other: name, series: 'plain' };
}

const units: UnitWords = {
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
    bps: noun('ビーピーエス'),
    kbps: noun('キロビーピーエス'),
    Mbps: noun('メガビーピーエス'),
    Gbps: noun('ギガビーピーエス'),
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
};

const money: MoneyWords = {
  currencies: {
    EUR: { unit: noun('ユーロ'), cent: noun('セント') },
    USD: { unit: noun('ドル'), cent: noun('セント') },
    GBP: { unit: noun('ポンド'), cent: noun('ペンス') },
    CHF: { unit: noun('スイスフラン') },
    JPY: { unit: noun('円') },
    KRW: { unit: noun('ウォン') },
  },
  join: (units, cents) => `${units}${cents}`,
  scales: { 千: '千', 万: '万', 億: '億', 兆: '兆' },
};

const electronic: ElectronicWords = {
  spelledNames: false,
  signs: {
    '@': 'アットマーク',
    '.': 'ドット',
    '-': 'ハイフン',
    _: 'アンダーバー',
    '/': 'スラッシュ',
    ':': 'コロン',
    '://': 'コロン スラッシュ スラッシュ',
  },
  words: {},
};

const numbersIn = (figures: JapaneseFigures): NumberWords => ({
  cardinal: figures.number,
  ordinal: (value) => `${figures.number(value)}番目`,
  decimal: '.',
  point: { '.': '.', ',': '.' },
  decimals: figures.decimal,
  joinsDecimals: false,
  spacesThousands: false,
  minus: 'マイナス',
  plus: 'プラス',
  space: '',
  range: (from, to) => `${from}から${to}`,
  ...(figures.dot !== undefined && { dot: figures.dot }),
  year: figures.number,
});

/** Japanese: figures in the usual order with Japanese nouns. */
const japaneseWith = (figures: JapaneseFigures): Language => ({
  code: 'ja',
  numbers: numbersIn(figures),
  units,
  money,
  electronic,
  dates: {
    date: ({ year, month, day }) =>
      `${year === undefined ? '' : `${figures.number(year)}年`}${figures.number(month)}月${day === 1 && figures.kana !== undefined ? figures.kana.firstDay : `${figures.number(day)}日`}`,
    monthFirst: false,
    shortDates: false,
  },
  times: { time: (time) => timeWords(time, figures), suffix: '(?!)' },
  phones: {
    patterns: [],
    pause: '、',
    digit: (digit) => figures.spell(String(digit)),
    group: figures.spell,
  },
  fraction: ({ whole, numerator, denominator }) => {
    if (denominator < 2) return undefined;
    const words = `${figures.number(denominator)}分の${figures.number(numerator)}`;
    return whole === undefined ? words : `${figures.number(Number(whole))}と${words}`;
  },
  names: japaneseNames(figures),
  forms: japaneseForms(figures),
});

/** Numbers in kanji, as a native writer spells them out. */
export const language = japaneseWith(inKanji);
/** Numbers in digits with their counters, for the dictionary. Digits of codes and telephone numbers are kana. */
export const japaneseInDigits = japaneseWith(inDigits);
/** For hosted services. */
export const japaneseInWords = japaneseWith(inWords);

function timeWords({ hour, minute, second }: ClockTime, { number, kana }: JapaneseFigures): string {
  const spoken = minute === 0 || kana === undefined ? `${number(minute)}分` : kana.minutes(minute);
  const minutes = minute === 0 && second === 0 ? '' : spoken;
  return `${number(hour)}時${minutes}${second === 0 ? '' : `${number(second)}秒`}`;
}
