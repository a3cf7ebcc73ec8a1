import { SPEAKABLE } from '../interface/limits.js';

/** A half-open range of UTF-16 offsets in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** White space as defined by `\s` and `String.prototype.trim`. Excludes U+200B (zero width space). */
const whiteSpace = new Set(
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
);

/** Returns whether `trim` would remove the UTF-16 code unit at `offset`. */
export const isWhiteSpace = (text: string, offset: number): boolean => whiteSpace.has(text.charAt(offset));

/** Returns whether `text` contains a letter or a digit. Services may refuse any other text (docs/interface.md#open-points). */
export const isSpeakable = (text: string): boolean => SPEAKABLE.test(text);

/** Scripts without spaces between words, as the content of a regular expression's character class. */
export const unspaced =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';

/** Returns whether `text` contains a letter of a script without spaces. */
export const hasUnspacedScript = (text: string): boolean => unspacedLetter.test(text);

/** Returns whether `left` ends or `right` starts with a letter of a script without spaces. Only a dictionary finds words there. */
export const touchesUnspaced = (left: string, right: string): boolean =>
  endsUnspaced.test(left) || startsUnspaced.test(right);

const unspacedLetter = new RegExp(`(?=[\\p{L}\\p{M}])[${unspaced}]`, 'u');
const startsUnspaced = new RegExp(`^(?=[\\p{L}\\p{M}])[${unspaced}]`, 'u');
const endsUnspaced = new RegExp(`(?=[\\p{L}\\p{M}])[${unspaced}]$`, 'u');

/** Characters that extend the preceding one: marks, joiners, skin tones, tags, Thai and Lao AM (UAX #29, GB9 and GB9a). */
const extending = /^[\p{M}\p{Grapheme_Extend}\p{Emoji_Modifier}\u200d\u0e33\u0eb3]/u;

/** Characters that attach to the following one (UAX #29, GB9b: Prepend). */
const prepending =
  /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\u{110bd}\u{110cd}\u{111c2}\u{111c3}\u{113d1}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]$/u;

/** The first combining mark. Two characters below it never join, except CR LF, which is white space. */
const firstJoining = 0x300;

/** No character extends a line break (UAX #29, GB4). */
const lineBreak = /[\r\n\u2028\u2029]$/;

/**
 * Returns whether a grapheme cluster spans `offset`, judging by the two neighbouring characters only. This is exact
 * next to white space, punctuation and word boundaries. Elsewhere use `Intl.Segmenter`.
 */
export function joinsAt(text: string, offset: number): boolean {
  if (text.charCodeAt(offset - 1) < firstJoining && text.charCodeAt(offset) < firstJoining) return false;
  const before = text.slice(Math.max(0, offset - 2), offset);
  const after = text.slice(offset, offset + 2);
  return (extending.test(after) && !lineBreak.test(before)) || prepending.test(before);
}

/** Returns `span` without leading and trailing white space. */
export function trimSpan(text: string, { start, end }: Span): Span {
  let [from, to] = [start, end];
  while (from < to && isWhiteSpace(text, from)) from++;
  while (to > from && isWhiteSpace(text, to - 1)) to--;
  return { start: from, end: to };
}
