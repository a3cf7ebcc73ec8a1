/** The smallest part of a text that a line break must not split: usually a word with its punctuation. */
export interface Token {
  text: string;
  /** A space precedes the token, unless it starts a line. */
  spaced: boolean;
  /** The width in characters, without the space. */
  width: number;
}

/** Scripts without spaces between words. Korean has spaces. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
/** Punctuation that must not end a line. */
const OPENING = /^[\p{Ps}\p{Pi}]+$/u;

/** Created with the first use, because loading the rules takes milliseconds. */
let words: Intl.Segmenter | undefined;
let graphemes: Intl.Segmenter | undefined;

/**
 * Splits a text at the places that permit a line break: at spaces, between words of scripts without spaces, and inside words
 * that are wider than `maxWidth`.
 */
export function tokensOf(text: string, maxWidth: number): Token[] {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '')
    .flatMap((word) =>
      partsOf(word, maxWidth).map((part, index): Token => ({
        text: part,
        spaced: index === 0,
        width: widthOf(part),
      })),
    );
}

/** Printable ASCII. It needs none of the rules for other scripts. */
const ASCII = /^[!-~]*$/;

function partsOf(word: string, maxWidth: number): string[] {
  if (word.length <= maxWidth && ASCII.test(word)) return [word];
  const parts = UNSPACED.test(word) ? wordsIn(word) : [word];
  return parts.flatMap((part) => (widthOf(part) > maxWidth ? cut(part, maxWidth) : [part]));
}

/** Splits a text into words. Punctuation stays with the word before it, opening brackets with the word after it. */
function wordsIn(text: string): string[] {
  const parts: string[] = [];
  let opening = '';
  words ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  for (const { segment, isWordLike } of words.segment(text)) {
    const last = parts.at(-1);
    if (OPENING.test(segment)) opening += segment;
    else if (isWordLike === true || last === undefined || opening !== '') {
      parts.push(opening + segment);
      opening = '';
    } else parts[parts.length - 1] = last + segment;
  }
  return opening === '' ? parts : [...parts.slice(0, -1), (parts.at(-1) ?? '') + opening];
}

function cut(word: string, maxWidth: number): string[] {
  const parts: string[] = [];
  let part = '';
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (const { segment } of graphemes.segment(word)) {
    if (part !== '' && widthOf(part + segment) > maxWidth) {
      parts.push(part);
      part = '';
    }
    part += segment;
  }
  return [...parts, part];
}

/** Characters of double width in most fonts (Unicode Standard Annex 11). */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF01-\uFF60\p{Emoji_Presentation}]/gu;

/** Returns the number of characters (UTF-16 code units). A character of double width counts twice. */
export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : text.length + (text.match(WIDE)?.length ?? 0);
}
