import { canStop, joinCounter } from './sound-changes.js';

/** A counter word, in its written form and in its reading without a number. */
export interface Counter {
  surface: string;
  /** Katakana. */
  kana: string;
}

const DAYS: Readonly<Record<string, string>> = {
  ニ: 'フツカ',
  サン: 'ミッカ',
  ヨン: 'ヨッカ',
  ゴ: 'イツカ',
  ロク: 'ムイカ',
  ナナ: 'ナノカ',
  ハチ: 'ヨーカ',
  キュー: 'ココノカ',
  ジュー: 'トーカ',
  ジューヨン: 'ジューヨッカ',
  ニジュー: 'ハツカ',
  ニジューヨン: 'ニジューヨッカ',
};
const THINGS: Readonly<Record<string, string>> = {
  イチ: 'ヒトツ',
  ニ: 'フタツ',
  サン: 'ミッツ',
  ヨン: 'ヨッツ',
  ゴ: 'イツツ',
  ロク: 'ムッツ',
  ナナ: 'ナナツ',
  ハチ: 'ヤッツ',
  キュー: 'ココノツ',
};
/** Counters with special words for some numbers, and the suffix of those words. */
const SPECIAL_WORDS: Readonly<
  Record<string, readonly [words: Readonly<Record<string, string>>, rest: string]>
> = {
  日: [DAYS, ''],
  日間: [DAYS, 'カン'],
  人: [{ イチ: 'ヒトリ', ニ: 'フタリ' }, ''],
  つ: [THINGS, ''],
};
const FIRST_OF_MONTH = 'ツイタチ';

/** Endings of number words that change before a counter with this first character. */
const OTHER_ENDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  時: { ゼロ: 'レー', ヨン: 'ヨ', ナナ: 'シチ', キュー: 'ク' },
  月: { ヨン: 'シ', ナナ: 'シチ', キュー: 'ク' },
  日: { ナナ: 'シチ', キュー: 'ク' },
  年: { ヨン: 'ヨ' },
  人: { ヨン: 'ヨ' },
  度: { ゼロ: 'レー' },
};

/** Counters whose first sound is voiced after "ン". */
const VOICED = '本匹杯票階軒足';
/** Counters whose first sound becomes a "p" after "ン". */
const PLOSIVE = '分泊発拍歩品編';
/** Counters of Japanese origin with native words for one and two: ヒトハコ. */
const NATIVE = '箱皿袋口切晩';
const NATIVE_NUMBERS: Readonly<Record<string, string>> = { イチ: 'ヒト', ニ: 'フタ' };
/** Counters of Japanese origin. The number before them stays unchanged. */
const UNCHANGING = '組箱口切';
const TO_VOICED: Readonly<Record<string, string>> = {
  ハ: 'バ',
  ヒ: 'ビ',
  ホ: 'ボ',
  カ: 'ガ',
  ケ: 'ゲ',
  ソ: 'ゾ',
};
const TO_PLOSIVE: Readonly<Record<string, string>> = { ハ: 'パ', ヒ: 'ピ', フ: 'プ', ヘ: 'ペ', ホ: 'ポ' };
const LOAN = /^[カキクケコ][ァ-ー]*$/u;

/**
 * Returns the reading of a number with its counter: イッポン for イチ and 本.
 * @param number a result of `readNumeral`, or "ナン" for "how many"
 * @param isDate true after a month. Only then 1日 means "the first".
 */
export function readCounted(number: string, counter: Counter, isDate: boolean): string {
  const { surface } = counter;
  if (surface === '日' && isDate && number === 'イチ') return FIRST_OF_MONTH;
  const [words, rest] = SPECIAL_WORDS[surface] ?? [];
  const word = words?.[number];
  if (word !== undefined) return `${word}${rest}`;
  const kind = surface.charAt(0);
  const kana = surface === '月' ? 'ガツ' : counter.kana;
  const native = NATIVE.includes(kind) ? NATIVE_NUMBERS[number] : undefined;
  if (native !== undefined) return `${native}${kana}`;
  if (UNCHANGING.includes(kind) || isUnchangedLoan(number, surface)) return `${number}${kana}`;
  return joinCounter(withOtherEnd(number, OTHER_ENDS[kind] ?? {}), afterNumber(number, kind, kana));
}

/** Returns whether the number stays unchanged: 1 and 8 before loan words such as キロ, in contrast to 個. */
function isUnchangedLoan(number: string, surface: string): boolean {
  return LOAN.test(surface) && /[イハ]チ$/u.test(number);
}

function withOtherEnd(number: string, ends: Readonly<Record<string, string>>): string {
  const [end, other] = Object.entries(ends).find(([end]) => number.endsWith(end)) ?? ['', ''];
  return `${number.slice(0, number.length - end.length)}${other}`;
}

/** Returns the reading of a counter after a number, which can change its first sound. */
function afterNumber(number: string, kind: string, kana: string): string {
  const isPlosive = PLOSIVE.includes(kind);
  const isNasal = number.endsWith('ン');
  if (VOICED.includes(kind) && isNasal && !number.endsWith('ヨン')) return withInitial(kana, TO_VOICED);
  const becomesPlosive = (isPlosive && isNasal) || ((isPlosive || VOICED.includes(kind)) && canStop(number));
  return becomesPlosive ? withInitial(kana, TO_PLOSIVE) : kana;
}

function withInitial(kana: string, initials: Readonly<Record<string, string>>): string {
  const initial = kana.charAt(0);
  return `${initials[initial] ?? initial}${kana.slice(1)}`;
}
