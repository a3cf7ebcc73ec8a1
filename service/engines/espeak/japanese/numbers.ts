import { joined } from './sound-changes.js';

const DIGITS = ['ゼロ', 'イチ', 'ニ', 'サン', 'ヨン', 'ゴ', 'ロク', 'ナナ', 'ハチ', 'キュー'];
/** How hundreds and thousands begin where that is not as the digit alone. */
const HUNDREDS: Readonly<Record<string, string>> = {
  1: 'ヒャク',
  3: 'サンビャク',
  6: 'ロッピャク',
  8: 'ハッピャク',
};
const THOUSANDS: Readonly<Record<string, string>> = { 1: 'セン', 3: 'サンゼン', 8: 'ハッセン' };
/** Names of the powers of ten thousand; a longer number has no usual name. */
const MYRIADS = ['', 'マン', 'オク', 'チョー'];
const MAX_DIGITS = 4 * MYRIADS.length;

const KANJI_DIGITS = '零一二三四五六七八九';
const KANJI_UNITS: Readonly<Record<string, bigint>> = { 十: 10n, 百: 100n, 千: 1000n };
const KANJI_MYRIADS: Readonly<Record<string, bigint>> = { 万: 10n ** 4n, 億: 10n ** 8n, 兆: 10n ** 12n };
const NUMERAL = /^[\d零〇一二三四五六七八九十百千万億兆]+(?:\.\d+)*$/u;

/** Whether this is one number: in Arabic digits, in kanji, or in both like "5万". */
export function isNumeral(text: string): boolean {
  return NUMERAL.test(text);
}

/**
 * How a number is read: katakana, with "ー" for long vowels. Digit by digit where it begins with 0 or is too long.
 * @param numeral Something that `isNumeral`.
 */
export function readNumeral(numeral: string): string {
  const [whole = '', ...fractions] = numeral.split('.');
  return fractions.reduce(
    (number, fraction) => `${joined(number === 'ゼロ' ? 'レー' : number, 'テン')}${readDigits(fraction)}`,
    readWhole(toDigits(whole)),
  );
}

/** Digit by digit, as in a telephone number. */
export function readDigits(digits: string): string {
  return digits.replace(/\d/gu, (digit) => DIGITS[Number(digit)] ?? '');
}

function readWhole(digits: string): string {
  if (digits.startsWith('0') || digits.length > MAX_DIGITS) return readDigits(digits);
  const groups = digits.match(/\d{1,4}(?=(?:\d{4})*$)/gu) ?? [];
  return groups
    .map((group, index) => {
      const name = MYRIADS[groups.length - 1 - index] ?? '';
      const count = readGroup(group.padStart(4, '0'));
      return count === '' ? '' : joined(count, name);
    })
    .join('');
}

/** Up to 9999; nothing for 0. */
function readGroup([thousands = '', hundreds = '', tens = '', ones = '']: string): string {
  return [
    THOUSANDS[thousands] ?? times(thousands, 'セン'),
    HUNDREDS[hundreds] ?? times(hundreds, 'ヒャク'),
    tens === '1' ? 'ジュー' : times(tens, 'ジュー'),
    times(ones, ''),
  ].join('');
}

function times(digit: string, unit: string): string {
  return digit === '0' ? '' : `${readDigits(digit)}${unit}`;
}

/** Arabic digits of a numeral without a point. */
function toDigits(numeral: string): string {
  const arabic = numeral
    .replace(/〇/gu, '0')
    .replace(/[零一二三四五六七八九]/gu, (kanji) => `${KANJI_DIGITS.indexOf(kanji)}`);
  return /^\d+$/u.test(arabic) ? arabic : String(valueOf(arabic));
}

/** "5万2千" is 5 times ten thousand and 2 times a thousand; a unit without a number is one of it. */
function valueOf(numeral: string): bigint {
  let [total, group] = [0n, 0n];
  for (const [, count = '', unit = ''] of numeral.matchAll(/(\d*)(\D|$)/gu)) {
    const myriad = KANJI_MYRIADS[unit];
    const number = count === '' ? undefined : BigInt(count);
    if (myriad === undefined) group += (number ?? (unit === '' ? 0n : 1n)) * (KANJI_UNITS[unit] ?? 1n);
    else {
      const sum = group + (number ?? 0n);
      total += (sum === 0n ? 1n : sum) * myriad;
      group = 0n;
    }
  }
  return total + group;
}
