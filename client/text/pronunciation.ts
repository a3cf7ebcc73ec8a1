/** A word and the text that the service reads in its place. */
export interface Pronunciation {
  word: string;
  replacement: string;
  /** ISO 639-1 code. The entry applies to texts in this language; default: all languages. */
  language?: string | undefined;
  /** Whether upper and lower case must match. Default false. */
  matchCase?: boolean | undefined;
}
