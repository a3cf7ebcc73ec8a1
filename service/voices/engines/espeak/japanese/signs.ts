import { readDigits } from './numbers.js';

type Rewriting = readonly [pattern: RegExp, words: string | ((match: string, ...groups: string[]) => string)];

/** Units after a number. */
const UNITS: Readonly<Record<string, string>> = {
  '%': 'パーセント',
  '℃': '度',
  '°C': '度',
  '°': '度',
  km: 'キロメートル',
  cm: 'センチ',
  mm: 'ミリ',
  m: 'メートル',
  kg: 'キログラム',
  mg: 'ミリグラム',
  g: 'グラム',
  L: 'リットル',
  l: 'リットル',
  mL: 'ミリリットル',
  ml: 'ミリリットル',
  kWh: 'キロワット時',
  Wh: 'ワット時',
  kW: 'キロワット',
  W: 'ワット',
  V: 'ボルト',
  A: 'アンペア',
  Hz: 'ヘルツ',
  dB: 'デシベル',
  hPa: 'ヘクトパスカル',
};
const UNIT = new RegExp(`(?<=\\d)\\s?(${Object.keys(UNITS).sort(longestFirst).join('|')})(?![A-Za-z])`, 'gu');

/** Signs that eSpeak NG would name in English. */
const WORDS: Readonly<Record<string, string>> = {
  '%': 'パーセント',
  '&': 'アンド',
  '@': 'アットマーク',
  '+': 'プラス',
  '=': 'イコール',
  '#': 'シャープ',
};

/** A month from 1 to 12 and a day from 1 to 31. Leading zeros are dropped. */
const MONTH = '0?([1-9]|1[0-2])';
const DAY = '0?([1-9]|[12]\\d|3[01])';

/** The replacements in order. A later one can depend on the result of an earlier one. */
const rewritings: readonly Rewriting[] = [
  [
    /(?<![\d-])0\d{1,4}(?:-\d{1,4}){1,2}(?![\d-])/gu,
    (number) => number.split('-').map(readDigits).join('、'),
  ],
  [/(?<=\d),(?=\d{3}(?!\d))/gu, ''],
  [new RegExp(`(?<!\\d)(\\d{4})[-/]${MONTH}[-/]${DAY}(?!\\d)`, 'gu'), '$1年$2月$3日'],
  [new RegExp(`(?<![\\d/])${MONTH}/${DAY}(?![\\d/])`, 'gu'), '$1月$2日'],
  [/(?<![\d:])0?(\d|1\d|2[0-4]):00(?![\d:])/gu, '$1時'],
  [/(?<![\d:])0?(\d|1\d|2[0-4]):0?(\d|[1-5]\d)(?![\d:])/gu, '$1時$2分'],
  [/[¥￥]\s?(\d+)/gu, '$1円'],
  [/\$\s?(\d+(?:\.\d+)?)/gu, '$1ドル'],
  [/€\s?(\d+(?:\.\d+)?)/gu, '$1ユーロ'],
  [/(?<![\dA-Za-z])[-−](?=\d)/gu, 'マイナス'],
  [UNIT, (_, unit = '') => UNITS[unit] ?? unit],
  [/(?<=[\d度時分円])\s?[〜～~–—](?=\d)/gu, 'から'],
  [/(?<!\d)110番/gu, 'ヒャクトー番'],
  [/([1一]日)中/gu, '$1じゅう'],
  // IPADIC contains "お話" including its し, and reads a second し here.
  [/お話し(?=くだ|下|す|し|いた|頂)/gu, 'おはなし'],
  [/Wi-?Fi/giu, 'ワイファイ'],
  [/Bluetooth/giu, 'ブルートゥース'],
  [/[%&@+=#]/gu, (sign) => WORDS[sign] ?? sign],
];

/** Replaces times, dates, amounts, units and signs in Japanese text by words. Numbers stay digits. */
export function expandSigns(text: string): string {
  // Two calls, because no signature of `replace` accepts a string or a function.
  return rewritings.reduce(
    (text, [pattern, words]) =>
      typeof words === 'string' ? text.replace(pattern, words) : text.replace(pattern, words),
    text,
  );
}

function longestFirst(one: string, other: string): number {
  return other.length - one.length;
}
