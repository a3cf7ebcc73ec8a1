import { MAX_TEXT_LENGTH } from '../interface/limits.js';
import { isSpeakable, type Span, trimSpan } from './characters.js';
import { everyGrapheme, wholeSentences } from './cuts/cuts.js';
import { pack } from './pack.js';
import { createSource, type Source } from './cuts/source.js';

export { isSpeakable };

export interface ChunkOptions {
  /** Maximum length of a chunk in UTF-16 code units, at least 1. Default: `MAX_TEXT_LENGTH`, the limit of one request. */
  readonly maxLength?: number;
  /** Language of the text (BCP 47). It decides where words and sentences end. Default and fallback: "en". */
  readonly language?: string;
  /** Parts that stay whole if they fit into a chunk, in order (UTF-16 offsets). Default: none. */
  readonly whole?: readonly Span[];
}

/** A chunk of a text with its position in that text (UTF-16 offsets, `end` exclusive). */
export interface Chunk extends Span {
  readonly text: string;
}

/**
 * Cuts `text` into chunks and returns their texts in order. No chunk is empty or has white space at its ends.
 *
 * @throws TypeError if `text` is not a string
 * @throws RangeError if `maxLength` is not an integer of at least 1
 * @see cutText for the rules
 */
export const chunkText = (text: string, options: ChunkOptions = {}): string[] =>
  cutText(text, options).map((chunk) => chunk.text);

/**
 * Cuts `text` into chunks of at most `maxLength` UTF-16 code units (docs/decisions/0002-where-to-cut.md):
 * - Only white space is left out between two chunks.
 * - A sentence, a grapheme cluster or a part of `whole` that fits into a chunk stays whole.
 * - Within these rules the number of chunks is minimal, and their lengths are as equal as possible.
 *
 * A chunk contains no letter or digit only if no neighbour has room for it, or if the whole text contains none. Check
 * `isSpeakable` before sending a chunk. If `maxLength` is 1, a code point of two code units becomes a chunk of two.
 *
 * @throws TypeError if `text` is not a string
 * @throws RangeError if `maxLength` is not an integer of at least 1
 */
export function cutText(text: string, options: ChunkOptions = {}): Chunk[] {
  const { maxLength = MAX_TEXT_LENGTH } = options;
  checkArguments(text, maxLength);
  const whole = trimSpan(text, { start: 0, end: text.length });
  const toChunk = ({ start, end }: Span): Chunk => ({ text: text.slice(start, end), start, end });
  if (whole.start === whole.end) return [];
  if (whole.end - whole.start <= maxLength) return [toChunk(whole)];
  const source = createSource(text, { ...options, maxLength });
  return joinUnspeakable(source, pack(source, whole, wholeSentences)).map(toChunk);
}

function checkArguments(text: unknown, maxLength: number): void {
  if (typeof text !== 'string') throw new TypeError(`text: expected a string, not ${typeof text}`);
  if (Number.isInteger(maxLength) && maxLength >= 1) return;
  throw new RangeError(`maxLength ${String(maxLength)}: expected an integer of at least 1`);
}

/**
 * Merges chunks without a letter or digit into their neighbours. If cutting at sentence ends left a run of such chunks,
 * the run and its two neighbours are cut again, this time also inside sentences.
 */
function joinUnspeakable(source: Source, chunks: readonly Span[]): Span[] {
  const joined: Span[] = [];
  let run: Span[] = [];
  const settle = (region: readonly Span[]): void => {
    for (const chunk of region) append(joined, chunk, source.maxLength);
    run = [];
  };
  for (const chunk of chunks) {
    run.push(chunk);
    if (speaks(source, chunk)) settle(run.length > 1 ? recut(source, [...joined.splice(-1), ...run]) : run);
  }
  settle(recut(source, [...joined.splice(-1), ...run]));
  return joined;
}

/** Appends `chunk`, or extends the last chunk if both fit into one: cutting a region again can free room at its edges. */
function append(chunks: Span[], chunk: Span, maxLength: number): void {
  const last = chunks.at(-1);
  const fits = last !== undefined && chunk.end - last.start <= maxLength;
  if (fits) chunks.splice(-1, 1, { start: last.start, end: chunk.end });
  else chunks.push(chunk);
}

const speaks = ({ text }: Source, { start, end }: Span): boolean => isSpeakable(text.slice(start, end));

function recut(source: Source, region: readonly Span[]): readonly Span[] {
  const silent = region.filter((chunk) => !speaks(source, chunk)).length;
  const [first, last] = [region[0], region.at(-1)];
  if (first === undefined || last === undefined || silent === 0 || silent === region.length) return region;
  const finer = pack(source, { start: first.start, end: last.end }, everyGrapheme);
  return finer.filter((chunk) => !speaks(source, chunk)).length < silent ? finer : region;
}
