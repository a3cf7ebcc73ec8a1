import { isSpeakable } from './characters.js';
import type { ChunkOptions } from './chunk.js';
import { cutSentences } from './sentence-cuts.js';

/** The complete sentences of a text that still grows, and its rest. */
export interface GrowingText {
  /** In order, without white space at their ends. */
  sentences: string[];
  /** The beginning of the next sentence. */
  rest: string;
}

/** A full stop that ends a sentence if white space follows. */
const STOP = /[.!?…؟।॥][\p{Pe}\p{Pf}"']*$/u;
/** A full stop of a script without spaces. */
const WIDE_STOP = /[。．！？｡][\p{Pe}\p{Pf}"']*$/u;
/** Stands for the next sentence. A sentence ends before it by the same rules as before any other word. */
const NEXT = 'A';
/** White space that no text needs. Each call reads the rest again, so the rest must stay short. */
const LONG_SPACE = /\s{9,}/g;
const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/**
 * Cuts off the sentences of a growing text that are complete. A full stop ends a sentence when white space follows, so "21."
 * waits for the next character. Abbreviations and ordinal numbers end no sentence. A sentence longer than `maxLength` is cut
 * further, also before its end arrives. Of more than 8 units of white space in a row, only two line ends or a space remain.
 */
export function cutGrowingText(text: string, options: ChunkOptions = {}): GrowingText {
  const short = text.replace(LONG_SPACE, shortSpace);
  const next = hasOpenEnd(short) && isSpeakable(short) ? NEXT : '';
  const chunks = cutSentences(short + next, options);
  const last = chunks.pop();
  if (last === undefined) return { sentences: [], rest: short };
  return { sentences: chunks.map((chunk) => chunk.text), rest: short.slice(last.start) };
}

/** Keeps the end of a paragraph or of a line. */
const shortSpace = (space: string): string => space.match(LINE_END)?.slice(0, 2).join('') ?? ' ';

/** Returns whether a sentence or a paragraph may end at the end of the text. */
function hasOpenEnd(text: string): boolean {
  const words = text.trimEnd();
  const space = text.slice(words.length);
  if (space.indexOf('\n') !== space.lastIndexOf('\n') || WIDE_STOP.test(words)) return true;
  return space !== '' && STOP.test(words);
}
