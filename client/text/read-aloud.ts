import { plainText } from './plain-text.js';
import { pronounced, type Pronunciation } from './pronunciation.js';
import type { Reading } from './reading.js';
import { markSayAs, partsOf, splitMarks } from './say-as.js';

/** A text with everything that decides about its words. */
export interface TextToRead {
  text: string;
  language: string;
  markup?: 'remove' | 'read' | undefined;
  pronunciations?: readonly Pronunciation[] | undefined;
}

/** Returns a text of any length as a service gets it with a reading. */
export function readAloud({ text, language, markup, pronunciations }: TextToRead, reading: Reading): string {
  const marked = markup === 'remove' ? plainText(text).text : markSayAs(text).text;
  const { text: plain, spans } = splitMarks(pronounced(marked, language, pronunciations));
  return reading.sent(partsOf(plain, { start: 0, end: plain.length }, spans), language);
}
