import { SPEAKABLE } from '../interface/schemas.js';

/** A half-open range of UTF-16 offsets in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What `\s` and `String.prototype.trim` call white space; U+200B (zero width space) is not among it. */
const whiteSpace = new Set(
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
);

/** Whether the UTF-16 unit at `offset` is white space as `trim` sees it. */
export const isWhiteSpace = (text: string, offset: number): boolean => whiteSpace.has(text.charAt(offset));

/** Whether a voice has anything to say: the service may refuse a text without a letter or digit. */
export const isSpeakable = (text: string): boolean => SPEAKABLE.test(text);

/** Scripts that put no space between words, as the inside of a character class. */
export const unspaced =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';

export const hasUnspacedScript = (text: string): boolean => unspacedLetter.test(text);

/** Whether one of two neighbours is a letter of a script without spaces, where only a dictionary finds words. */
export const touchesUnspaced = (left: string, right: string): boolean =>
  endsUnspaced.test(left) || startsUnspaced.test(right);

const unspacedLetter = new RegExp(`(?=[\\p{L}\\p{M}])[${unspaced}]`, 'u');
const startsUnspaced = new RegExp(`^(?=[\\p{L}\\p{M}])[${unspaced}]`, 'u');
const endsUnspaced = new RegExp(`(?=[\\p{L}\\p{M}])[${unspaced}]$`, 'u');

/** Joins the character before it: marks, joiners, skin tones, tags, Thai and Lao AM (UAX #29, GB9 and GB9a). */
const extending = /^[\p{M}\p{Grapheme_Extend}\p{Emoji_Modifier}\u200d\u0e33\u0eb3]/u;

/** Joins the character after it (UAX #29, GB9b: Prepend). */
const prepending =
  /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\u{110bd}\u{110cd}\u{111c2}\u{111c3}\u{113d1}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]$/u;

/** The first combining mark; between two characters below it nothing joins, but for CR LF, which is white space. */
const firstJoining = 0x300;

/** After a line break nothing extends (UAX #29, GB4). */
const lineBreak = /[\r\n\u2028\u2029]$/;

/**
 * Whether a grapheme cluster reaches over `offset`, as far as two neighbours tell. That is enough next to white
 * space, punctuation and word boundaries; between arbitrary graphemes, ask `Intl.Segmenter`.
 */
export function joinsAt(text: string, offset: number): boolean {
  if (text.charCodeAt(offset - 1) < firstJoining && text.charCodeAt(offset) < firstJoining) return false;
  const before = text.slice(Math.max(0, offset - 2), offset);
  const after = text.slice(offset, offset + 2);
  return (extending.test(after) && !lineBreak.test(before)) || prepending.test(before);
}

/** `span` without the white space at its two ends. */
export function trimSpan(text: string, { start, end }: Span): Span {
  let [from, to] = [start, end];
  while (from < to && isWhiteSpace(text, from)) from++;
  while (to > from && isWhiteSpace(text, to - 1)) to--;
  return { start: from, end: to };
}
