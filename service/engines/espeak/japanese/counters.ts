import { canStop, joined } from './sound-changes.js';

/** What is counted, as it is written and as it is read alone. */
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
/** Counters that have words of their own for some numbers, and what follows those words. */
const OWN_WORDS: Readonly<Record<string, readonly [words: Readonly<Record<string, string>>, rest: string]>> =
  {
    日: [DAYS, ''],
    日間: [DAYS, 'カン'],
    人: [{ イチ: 'ヒトリ', ニ: 'フタリ' }, ''],
    つ: [THINGS, ''],
  };
const FIRST_OF_MONTH = 'ツイタチ';

/** Ends of number words that are others before a counter with this first character. */
const OTHER_ENDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  時: { ゼロ: 'レー', ヨン: 'ヨ', ナナ: 'シチ', キュー: 'ク' },
  月: { ヨン: 'シ', ナナ: 'シチ', キュー: 'ク' },
  日: { ナナ: 'シチ', キュー: 'ク' },
  年: { ヨン: 'ヨ' },
  人: { ヨン: 'ヨ' },
  度: { ゼロ: 'レー' },
};

/** Counters whose first sound is voiced after "ン", and those where it becomes a "p" there. */
const VOICED = '本匹杯票階軒足';
const PLOSIVE = '分泊発拍歩品編';
/** Words of Japanese origin, which leave a number as it is. */
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
 * A number with what it counts: イチ and 本 are イッポン.
 * @param number As `readNumeral` gives it, or "ナン" for "how many".
 * @param isDate Whether the name of a month came before: only there 1日 is the first.
 */
export function readCounted(number: string, counter: Counter, isDate: boolean): string {
  const { surface } = counter;
  if (surface === '日' && isDate && number === 'イチ') return FIRST_OF_MONTH;
  const [words, rest] = OWN_WORDS[surface] ?? [];
  const word = words?.[number];
  if (word !== undefined) return `${word}${rest}`;
  const kind = surface.charAt(0);
  const kana = surface === '月' ? 'ガツ' : counter.kana;
  if (UNCHANGING.includes(kind) || isUnchangedLoan(number, surface)) return `${number}${kana}`;
  return joined(withOtherEnd(number, OTHER_ENDS[kind] ?? {}), afterNumber(number, kind, kana));
}

/** 1 and 8 stay whole before loan words like キロ, in contrast to 個. */
function isUnchangedLoan(number: string, surface: string): boolean {
  return LOAN.test(surface) && /[イハ]チ$/u.test(number);
}

function withOtherEnd(number: string, ends: Readonly<Record<string, string>>): string {
  const [end, other] = Object.entries(ends).find(([end]) => number.endsWith(end)) ?? ['', ''];
  return `${number.slice(0, number.length - end.length)}${other}`;
}

/** The counter with the first sound that it has after this number. */
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
