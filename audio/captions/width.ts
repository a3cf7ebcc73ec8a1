/** Characters of double width in most fonts (Unicode Standard Annex 11). */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF01-\uFF60\p{Emoji_Presentation}]/gu;

/** Returns the number of characters (UTF-16 code units). A character of double width counts twice. */
export function widthOf(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0);
}
