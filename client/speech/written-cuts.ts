import { setImmediate as nextTurn } from 'node:timers/promises';
import { isSpeakable } from '../text/characters.js';
import type { Chunk, ChunkOptions } from '../text/chunk.js';
import type { Reading } from '../text/reading.js';
import { partsOf, type SaySpan, type TextPart } from '../text/say-as.js';
import { cutSpan } from '../text/sentence-cuts.js';

/** A chunk of a text, and the text that the service gets for it. */
export interface WrittenCut extends Chunk {
  sent: string;
}

/** A text that is written in another form for the service. */
export interface WrittenText {
  text: string;
  spans: readonly SaySpan[];
  language: string;
  /** The reading of the service. */
  reading: Reading;
  /**
   * The readings of all services that may speak the text. Each chunk fits into one request of any of them, so that a chunk has
   * the same place for all.
   */
  readings: readonly Reading[];
  /** Longest sent text of a chunk, in UTF-16 code units. */
  maxLength: number;
}

/** Milliseconds of work until other work of the process has its turn. */
const TURN_MS = 20;

/**
 * Returns the chunks with their sent texts. A chunk whose sent text is too long for one request is cut further.
 * @param cuts the chunks of the text
 */
export async function writtenCuts(written: WrittenText, cuts: readonly Chunk[]): Promise<WrittenCut[]> {
  const result: WrittenCut[] = [];
  let began = performance.now();
  for (const cut of cuts) {
    result.push(...fitting(written, cut));
    if (performance.now() - began < TURN_MS) continue;
    await nextTurn();
    began = performance.now();
  }
  return result;
}

function fitting(written: WrittenText, cut: Chunk): WrittenCut[] {
  const { text, spans, language, reading, readings } = written;
  const parts = partsOf(text, cut, spans);
  const sent = reading.sent(parts, language);
  const others = readings.filter((other) => other !== reading);
  const lengths = others.map((other) => lengthIn(other, parts, language));
  const longest = Math.max(sent.length, ...lengths);
  if (longest <= written.maxLength || cut.text.length < 2) return [{ ...cut, sent }];
  const share = Math.floor((cut.text.length * written.maxLength) / longest);
  const maxLength = Math.max(1, Math.min(share, cut.text.length - 1));
  const options: ChunkOptions = { maxLength, language, whole: spans };
  return cutSpan(text, cut, options)
    .filter((part) => isSpeakable(part.text))
    .flatMap((part) => fitting(written, part));
}

/** A reading that fails, such as one whose rules are not installed, stops no other service: it fails when it has to speak. */
function lengthIn(reading: Reading, parts: readonly TextPart[], language: string): number {
  try {
    return reading.sent(parts, language).length;
  } catch {
    return 0;
  }
}
