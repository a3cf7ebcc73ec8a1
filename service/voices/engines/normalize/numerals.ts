import type { Language, Series } from './language.js';

/** A number as written, without separators of thousands. */
export interface Numeral {
  /** Digits. */
  whole: string;
  /** Digits, or empty. */
  fraction: string;
  /** The decimal mark, if there is a fraction. */
  mark: '.' | ',';
  isNegative: boolean;
}

/** Longer numbers have no usual name. The engines read them digit by digit or in parts. */
const MAX_DIGITS = 15;
const NARROW_SPACES = '\u00a0\u2009\u202f';

/**
 * What must not precede a figure: a letter, digit or sign of which it could be a part, as in B-5, #5 or 3/4. Letters of
 * scripts without spaces, such as Hangul, may precede it. The first part is quicker than the others, and fails at most places.
 */
export const START =
  "(?=[-−–+±\\d%٪½⅓⅔¼¾⅛])(?<!::|[\\p{Lu}\\p{Ll}\\p{N}_@#/\\\\.,%°\\p{Sc}^]|[\\p{Lu}\\p{Ll}\\p{N}_][-−–+*×=]|[%\\p{Sc}][-−–]|\\p{N}[:'’])";
/** What must not follow a figure. */
export const END =
  "(?![\\p{Lu}\\p{Ll}\\p{N}_@#/\\\\%°º²³\\p{Sc}^]|[.,:'’−–+*×=-]\\p{N}|-(?:\\p{Lu}|\\p{Script=Cyrillic})|\\s?[°%])";

/**
 * Returns the pattern of a number, its separators included. It also matches digits that `parseNumeral` rejects. A plain
 * space separates thousands in some languages, and in all of them if decimals follow.
 */
export function numeralPattern({ numbers }: Language): string {
  const separators = `[.,'’${NARROW_SPACES}]\\d+`;
  const spaced = numbers.spacesThousands ? ' \\d{3}(?!\\d)' : ' \\d{3}(?=(?: \\d{3})*[.,]\\d\\d?(?!\\d))';
  return `\\d+(?:${separators}|${spaced})*`;
}

/** Returns the number that a match of `numeralPattern` means in the language; undefined for other digits, such as 1.2.3. */
export function parseNumeral(text: string, sign: string, { numbers }: Language): Numeral | undefined {
  const isNegative = /[-−–]/u.test(sign);
  const [, whole = '', mark, fraction = ''] = splitNumeral(text, numbers.decimal) ?? [];
  const digits = whole.replace(/\D/gu, '');
  const isNamed = digits.length <= MAX_DIGITS && (digits === '0' || /^[1-9]/u.test(digits));
  return isNamed ? { whole: digits, fraction, mark: mark === ',' ? ',' : '.', isNegative } : undefined;
}

const PLAIN = /^(\d+)(?:([.,])(\d+))?$/u;
/** Groups of three digits after one kind of separator, and a decimal mark of another kind. */
const GROUPED = new RegExp(
  `^(\\d{1,3}(?:([.,'’ ${NARROW_SPACES}])\\d{3})(?:\\2\\d{3})*)(?:(?!\\2)([.,])(\\d+))?$`,
  'u',
);

/** Groups of two digits before the last three, as in India: 12,50,000. */
const INDIAN = /^\d{1,2}(?:,\d\d)+,\d{3}(?:\.\d+)?$/u;

/** Returns whole, mark and fraction. 1.234 is grouped where the point is not the decimal mark. */
function splitNumeral(text: string, decimal: string): Array<string | undefined> | undefined {
  const plain = PLAIN.exec(text);
  const [, grouped, separator, mark, fraction] = GROUPED.exec(text) ?? [];
  if (decimal === '.' && INDIAN.test(text)) {
    const [whole, decimals] = text.split('.');
    return [text, whole, '.', decimals];
  }
  const isGrouped =
    grouped !== undefined && !grouped.startsWith('0') && (plain === null || separator !== decimal);
  return isGrouped ? [text, grouped, mark, fraction] : (plain ?? undefined);
}

/** Returns the words of a number. @param series Form of the number word if the number is whole. */
export function numberWords(numeral: Numeral, language: Language, series: Series): string {
  const { numbers } = language;
  const { whole, fraction, mark, isNegative } = numeral;
  const sign = isNegative ? `${numbers.minus}${numbers.space}` : '';
  const fractionWords = fraction === '' ? undefined : numbers.decimals?.(whole, fraction);
  if (fractionWords !== undefined) return `${sign}${fractionWords}`;
  const words = numbers.cardinal(Number(whole), fraction === '' ? series : 'plain');
  return fraction === ''
    ? `${sign}${words}`
    : `${sign}${words}${numbers.point[mark]}${decimals(fraction, language)}`;
}

/** More decimals are read digit by digit in every language. */
const MAX_JOINED_DECIMALS = 3;

function decimals(fraction: string, { numbers }: Language): string {
  const digit = (digit: string) => numbers.cardinal(Number(digit), 'plain');
  if (!numbers.joinsDecimals || fraction.length > MAX_JOINED_DECIMALS)
    return Array.from(fraction, digit).join(numbers.space);
  const [zeros = ''] = /^0*(?=\d)/u.exec(fraction) ?? [];
  return [...zeros.split(''), fraction.slice(zeros.length)].map(digit).join(numbers.space);
}
