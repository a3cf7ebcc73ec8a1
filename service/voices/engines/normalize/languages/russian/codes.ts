import { romanValue } from '../../marks/roman.js';
import { END, START } from '../../numerals.js';
import type { NormalizationRule } from '../../rule.js';
import { spellOut } from '../../spell-out.js';
import { joinedNumber } from './ordinals.js';
import { russianElectronic } from './words.js';

const plain = (value: number) => spellOut('ru', '%spellout-numbering', value);

/** First and last consonants of English words. Latin letters with others are no word: "HDMI", "USB". */
const FIRST = /^(?:[bcdfgkpt]r|[bcfgkps]l|s[ckmnpqtw]|[cpstw]h|[dt]w|kn|wr|gn|qu)(?=[aeiouy])/u;
const LAST =
  /[aeiouy](?:[lrn][bcdfgklmnpstvxz]|[cpfgkstx]t|s[kmp]|[bdfgklmnprtw]s|[csptg]h|th|ck|ll|ss|ff|tt|zz|mp|mb|w[nlk]|x)$/u;

/** Returns whether Latin letters are spelled: they cannot be read as a word. */
function isSpelled(name: string): boolean {
  const letters = name.toLowerCase();
  if (!/[aeiouy]/u.test(letters)) return true;
  return (
    (/^[^aeiouy]{2}/u.test(letters) && !FIRST.test(letters)) ||
    (/[^aeiouy]{2}$/u.test(letters) && !LAST.test(letters))
  );
}

/** Returns the names of Latin letters; other letters stay. */
const spelled = (name: string) =>
  Array.from(name, (letter) => russianElectronic.letters?.[letter.toLowerCase()] ?? letter).join(' ');

/** Endings of ordinals: "2-й", "3-го" are no parts of a code. */
const ENDING = /^(?:й|я|е|х|м|ю|го|му|ми|ый|ая|ое|ой|ые|ых|ым)$/u;

/** Rules for letters and codes, also without digits. */
export const codeForms: readonly NormalizationRule[] = [
  // "USB", "html" are named letter by letter; Roman numerals and units are not.
  {
    pattern:
      /(?=[A-Za-z])(?<![\p{L}\p{N}_@#/\\.:&'+-]|\p{N} )(?<name>[A-Z]{2,4}|[a-z]{3,4})(?![\p{L}\p{N}_@#/\\&²³]|[.:'’][\p{L}\p{N}]|-[A-Za-z\p{N}])/gu,
    words: ({ name = '' }) =>
      russianElectronic.words[name] === undefined &&
      romanValue(name.toUpperCase()) === undefined &&
      isSpelled(name)
        ? spelled(name)
        : undefined,
  },
  // Codes of three or more parts, such as 2-Б-34, are read digit by digit.
  {
    sign: '-',
    pattern:
      /(?<![\p{L}\p{N}.,:/_-])(?<code>(?:\d{1,6}|\p{L}{1,2})(?:-(?:\d{1,6}|\p{L}{1,2})){2,5})(?![\p{L}\p{N}_/-]|[.,:]\p{N})/gu,
    words: ({ code = '' }) => {
      const parts = code.split('-');
      const letters = parts.filter((part) => /^\p{L}/u.test(part));
      if (
        letters.length === 0 ||
        letters.length === parts.length ||
        letters.some((part) => ENDING.test(part))
      )
        return undefined;
      return parts
        .map((part) => (/^\d/u.test(part) ? Array.from(part, Number).map(plain).join(' ') : spelled(part)))
        .join(' ');
    },
  },
];

/** Rules for numbers that are parts of words or begin with zeros. */
export const joinedForms: readonly NormalizationRule[] = [
  // "40-летний", "5-этажный", "100-летие".
  {
    pattern: new RegExp(
      `${START}(?<value>[1-9]\\d{0,3})-(?:(?:х|ти|и|ми)-)?(?<rest>\\p{Ll}{2,}(?:[ыио]й|[ая]я|[оеыи]е|[ое]го|[ое]му|[ыиое]м|[ую]ю|[ыи]х|[ыи]ми)|\\p{Ll}*лети[еяюй]м?)(?!\\p{L})`,
      'gu',
    ),
    words: ({ value, rest = '' }) => (rest.length < 4 ? undefined : `${joinedNumber(Number(value))}${rest}`),
  },
  // The zeros are silent on a display, and spoken after a word.
  {
    pattern: new RegExp(`${START}(?<zeros>0+)(?<value>[1-9]\\d{0,8})${END}`, 'gu'),
    words: ({ zeros = '', value }, before) =>
      zeros.length > 1 && /\p{L} $/u.test(before)
        ? `${'ноль '.repeat(zeros.length)}${plain(Number(value))}`
        : plain(Number(value)),
  },
];
