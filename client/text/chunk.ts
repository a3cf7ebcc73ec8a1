import { MAX_TEXT_LENGTH } from '../interface/schemas.js';
import { isSpeakable, type Span, trimSpan } from './characters.js';
import { everyGrapheme, wholeSentences } from './cuts.js';
import { pack } from './pack.js';
import { createSource, type Source } from './source.js';

export { isSpeakable };

export interface ChunkOptions {
  /** Longest chunk in UTF-16 units, at least 1. Default: what one request takes. */
  readonly maxLength?: number;
  /** Language of the text (BCP 47), for where words and sentences end. Default and fallback: "en". */
  readonly language?: string;
}

/** A piece of a text and where it stands there (UTF-16 offsets, `end` exclusive). */
export interface Chunk extends Span {
  readonly text: string;
}

/**
 * The texts to send for `text`, in order: none is empty or has white space at its ends.
 *
 * @throws TypeError when `text` is not a string, RangeError when `maxLength` is not a whole number of at least 1.
 * @see cutText for where it cuts
 */
export const chunkText = (text: string, options: ChunkOptions = {}): string[] =>
  cutText(text, options).map((chunk) => chunk.text);

/**
 * Cuts `text` into chunks of at most `maxLength`, as docs/decisions/0002-where-to-cut.md lays down: what is between
 * two chunks is white space only, no grapheme cluster is cut that fits, no sentence that fits, and there are as few
 * chunks as that allows, as even as can be.
 *
 * A chunk without a letter or digit comes only where no neighbour has room for it, or where the text has none at
 * all: ask `isSpeakable` before sending it. With a `maxLength` of 1, a code point of two units is a chunk of two.
 *
 * @throws TypeError when `text` is not a string, RangeError when `maxLength` is not a whole number of at least 1.
 */
export function cutText(text: string, { maxLength = MAX_TEXT_LENGTH, language }: ChunkOptions = {}): Chunk[] {
  checkArguments(text, maxLength);
  const whole = trimSpan(text, { start: 0, end: text.length });
  const toChunk = ({ start, end }: Span): Chunk => ({ text: text.slice(start, end), start, end });
  if (whole.start === whole.end) return [];
  if (whole.end - whole.start <= maxLength) return [toChunk(whole)];
  const source = createSource(text, maxLength, language);
  return joinUnspeakable(source, pack(source, whole, wholeSentences)).map(toChunk);
}

function checkArguments(text: unknown, maxLength: number): void {
  if (typeof text !== 'string') throw new TypeError(`text must be a string, not ${typeof text}`);
  if (Number.isInteger(maxLength) && maxLength >= 1) return;
  throw new RangeError(`maxLength must be a whole number of at least 1, not ${String(maxLength)}`);
}

/**
 * Where whole sentences left a run of chunks without a letter or digit, cuts the run and its two neighbours anew,
 * inside sentences too, so that a neighbour takes it in.
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

/** Adds `chunk`, to the chunk before it where both fit in one: what was cut anew may leave room at its edge. */
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
