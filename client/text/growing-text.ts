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

/** The end of a paragraph, a full stop with white space after it, or a full stop of a script without spaces. */
const OPEN_END = /(?:\n\s*\n|[.!?…؟।॥][\p{Pe}\p{Pf}"']*\s|[。．！？｡][\p{Pe}\p{Pf}"']*)\s*$/u;
/** Stands for the next sentence. A sentence ends before it by the same rules as before any other word. */
const NEXT = 'A';

/**
 * Cuts off the sentences of a growing text that are complete. A full stop ends a sentence when white space follows, so "21."
 * waits for the next character. Abbreviations and ordinal numbers end no sentence. A sentence longer than `maxLength` is cut
 * further, also before its end arrives.
 */
export function cutGrowingText(text: string, options: ChunkOptions = {}): GrowingText {
  const next = OPEN_END.test(text) && isSpeakable(text) ? NEXT : '';
  const chunks = cutSentences(text + next, options);
  const last = chunks.pop();
  if (last === undefined) return { sentences: [], rest: text };
  return { sentences: chunks.map((chunk) => chunk.text), rest: text.slice(last.start) };
}
