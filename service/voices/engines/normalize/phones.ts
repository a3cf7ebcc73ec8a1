import type { Language, PhoneWords } from './language.js';
import type { NormalizationRule } from './rule.js';

const START = '(?=[+(\\d])(?<!\\p{N}[ .,])(?<![\\p{Script=Latin}\\p{N}_@#/\\\\.,:+-])';
const END = "(?![\\p{Script=Latin}\\p{N}_@%°]|[-./:,'’]\\p{N}|\\s?[%°€$£])";
/** Numbers with the code of a country, and numbers with a leading zero in two or more groups. */
const EVERYWHERE = [
  '\\+\\d{1,3}(?:[ ./-]?(?:\\(\\d{1,5}\\)|\\d{1,5})){2,6}',
  '(?:\\(0\\d{1,5}\\)|0\\d{1,5})(?:[ /-]\\d{2,8}){1,5}',
  '0\\d{8,14}',
];
const MIN_DIGITS = 7;
const MAX_DIGITS = 16;

/** Returns the rule for telephone numbers: digits in their groups, with a comma between the groups. */
export function phoneRule({ phones, numbers }: Language): NormalizationRule {
  return {
    pattern: new RegExp(`${START}(?<number>${[...EVERYWHERE, ...phones.patterns].join('|')})${END}`, 'gu'),
    words: ({ number = '' }) => {
      const groups = number.match(/\d+/gu) ?? [];
      const count = groups.join('').length;
      if (count < MIN_DIGITS || count > MAX_DIGITS) return undefined;
      const words = groups.map((digits, at) =>
        at === 0 && number.startsWith('+') && phones.country !== undefined
          ? phones.country(digits)
          : groupWords(digits, phones, numbers.space),
      );
      return `${number.startsWith('+') ? `${numbers.plus}${numbers.space}` : ''}${words.join(phones.pause)}`;
    },
  };
}

/** Returns the digits of a group in words. */
export function groupWords(digits: string, phones: PhoneWords, space: string): string {
  return phones.group?.(digits) ?? Array.from(digits, (digit) => phones.digit(Number(digit))).join(space);
}
