import { joinCounter } from './sound-changes.js';

const DIGITS = ['ゼロ', 'イチ', 'ニ', 'サン', 'ヨン', 'ゴ', 'ロク', 'ナナ', 'ハチ', 'キュー'];
/** Irregular readings of hundreds and thousands, by first digit. */
const HUNDREDS: Readonly<Record<string, string>> = {
  1: 'ヒャク',
  3: 'サンビャク',
  6: 'ロッピャク',
  8: 'ハッピャク',
};
const THOUSANDS: Readonly<Record<string, string>> = { 1: 'セン', 3: 'サンゼン', 8: 'ハッセン' };
/** Names of the powers of ten thousand. Longer numbers are read digit by digit. */
const MYRIADS = ['', 'マン', 'オク', 'チョー'];
const MAX_DIGITS = 4 * MYRIADS.length;

const KANJI_DIGITS = '零一二三四五六七八九';
const KANJI_UNITS: Readonly<Record<string, bigint>> = { 十: 10n, 百: 100n, 千: 1000n };
const KANJI_MYRIADS: Readonly<Record<string, bigint>> = { 万: 10n ** 4n, 億: 10n ** 8n, 兆: 10n ** 12n };
const KANJI_MYRIAD_NAMES = ['', ...Object.keys(KANJI_MYRIADS)];
const NUMERAL = /^[\d零〇一二三四五六七八九十百千万億兆]+(?:\.\d+)*[万億兆]?$/u;

/** Returns whether the text is one number: in Arabic digits, in kanji, or mixed such as "5万". */
export function isNumeral(text: string): boolean {
  return NUMERAL.test(text);
}

/**
 * Returns the reading of a number in katakana, with "ー" for long vowels. A number that starts with 0 or is too long is read
 * digit by digit.
 * @param numeral a text for which `isNumeral` returns true
 */
export function readNumeral(numeral: string): string {
  const [whole = '', ...fractions] = numeral.split('.');
  return fractions.reduce(
    (number, fraction) => {
      const [, digits = '', myriad = ''] = /^(\d+)(\D*)$/u.exec(fraction) ?? [];
      const read = `${joinCounter(number === 'ゼロ' ? 'レー' : number, 'テン')}${readDigits(digits)}`;
      return joinCounter(read, MYRIADS[KANJI_MYRIAD_NAMES.indexOf(myriad)] ?? '');
    },
    readWhole(toDigits(whole)),
  );
}

/** Reads digits one by one, as in a telephone number. */
function readDigits(digits: string): string {
  return digits.replace(/\d/gu, (digit) => DIGITS[Number(digit)] ?? '');
}

function readWhole(digits: string): string {
  if (digits.startsWith('0') || digits.length > MAX_DIGITS) return readDigits(digits);
  // oxlint-disable-next-line growth/regexp-time -- MAX_DIGITS bounds the text
  const groups = digits.match(/\d{1,4}(?=(?:\d{4})*$)/gu) ?? [];
  return groups
    .map((group, index) => {
      const name = MYRIADS[groups.length - 1 - index] ?? '';
      const isFirst = name !== '' && group === '1000';
      const count = isFirst ? 'イッセン' : readGroup(group.padStart(4, '0'));
      return count === '' ? '' : joinCounter(count, name);
    })
    .join('');
}

/** Reads a number of up to four digits. Returns an empty string for 0. */
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

/** Converts a numeral without a decimal point to Arabic digits. */
function toDigits(numeral: string): string {
  const arabic = numeral
    .replace(/〇/gu, '0')
    .replace(/[零一二三四五六七八九]/gu, (kanji) => `${KANJI_DIGITS.indexOf(kanji)}`);
  return /^\d+$/u.test(arabic) ? arabic : String(valueOf(arabic));
}

/** Computes the value of a numeral in kanji: 52,000 for "5万2千". A unit without a digit counts once. */
function valueOf(numeral: string): bigint {
  let [total, group] = [0n, 0n];
  // oxlint-disable-next-line growth/regexp-time -- matches at each start
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
