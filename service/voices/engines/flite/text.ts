import { type SentenceRules, splitSentences } from '../sentences.js';

/** Characters that Flite misreads, and their replacements. The order matters: an amount with a currency sign precedes the sign alone. */
const REPLACEMENTS: ReadonlyArray<readonly [RegExp, string]> = [
  [/[‘’‚‛′`]/gu, "'"],
  [/[“”„‟″«»]/gu, '"'],
  [/(?:(?<!\s)\s+)?[–—―]\s*/gu, ', '],
  [/[‐‑‒−]/gu, '-'],
  [/…/gu, '...'],
  [/€\s*([\d.,]*\d)/gu, '$1 euros '],
  [/£\s*([\d.,]*\d)/gu, '$1 pounds '],
  [/¥\s*([\d.,]*\d)/gu, '$1 yen '],
  [/€/gu, ' euros '],
  [/£/gu, ' pounds '],
  [/¥/gu, ' yen '],
  [/°\s*C\b/gu, ' degrees Celsius '],
  [/°\s*F\b/gu, ' degrees Fahrenheit '],
  [/°/gu, ' degrees '],
  [/×/gu, ' times '],
  [/÷/gu, ' divided by '],
  [/±/gu, ' plus or minus '],
  [/</gu, ' less than '],
  [/>/gu, ' greater than '],
  [/ß/gu, 'ss'],
  [/æ/gu, 'ae'],
  [/Æ/gu, 'Ae'],
  [/œ/gu, 'oe'],
  [/Œ/gu, 'Oe'],
  [/ø/gu, 'o'],
  [/Ø/gu, 'O'],
  [/đ|ð/gu, 'd'],
  [/Đ|Ð/gu, 'D'],
  [/ł/gu, 'l'],
  [/Ł/gu, 'L'],
  [/ı/gu, 'i'],
  [/þ/gu, 'th'],
  [/Þ/gu, 'Th'],
  [/⁄/gu, '/'],
];

/**
 * Converts a text to printable ASCII, which Flite can read. Accents are removed and signs become words. Characters without
 * an ASCII spelling (other scripts, emoji, control characters, lone surrogates) become spaces.
 */
export function toFliteText(text: string): string {
  const spelled = REPLACEMENTS.reduce((result, [sign, word]) => result.replace(sign, word), text);
  // NFKD decomposes ½ to 1⁄2 and é to e with an accent, so the fraction slash needs a second replacement.
  const decomposed = spelled.normalize('NFKD').replace(/\p{M}/gu, '').replace(/⁄/gu, '/');
  return decomposed.replace(/[^\x20-\x7e\n]/gu, ' ');
}

/** UTF-16 code units of a word; longer ones get a space. */
const MAX_WORD = 80;
const LONG_WORD = new RegExp(`\\S{${MAX_WORD}}(?=\\S)`, 'gu');
/** A letter is part of a word. Flite may read a digit, sign or capital as a whole word. */
const WORD_WEIGHT = 5;

const rules: SentenceRules = {
  segments: (text) => text.split(/(?=\S)(?<=[.!?]["')\]]*\s+|\n\s*)/u),
  abbreviation: /\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|No|approx|e\.g|i\.e|[A-Z])\.\s*$/u,
  /** About 15 seconds of speech: Flite's time grows with the square of a sentence's length. */
  maxWeight: 250,
  weightOf: (word) => {
    const heavy = word.match(/[^a-z.,;:!?'"()\s]/gu)?.length ?? 0;
    return word.trim().length + heavy * (WORD_WEIGHT - 1);
  },
  maxWord: MAX_WORD,
};

/** Splits a readable text into sentences with letters or digits. */
export function fliteSentences(readable: string): string[] {
  return splitSentences(readable.replace(LONG_WORD, '$& '), rules)
    .map((sentence) => sentence.replace(/\s+/gu, ' '))
    .filter((sentence) => /[A-Za-z0-9]/u.test(sentence));
}
