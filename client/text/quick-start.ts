import { MAX_TEXT_LENGTH } from '../interface/limits.js';
import { isSpeakable, type Span, trimSpan } from './characters.js';
import type { Chunk, ChunkOptions } from './chunk.js';
import { type Cut, eachCut } from './cuts/cuts.js';
import { cutSpan } from './sentence-cuts.js';
import { createSource, Rank } from './cuts/source.js';

/** Lengths of the first chunk in UTF-16 code units. 15 of them are about one second of English speech. */
const LENGTH = {
  /** A shorter chunk could end before the next chunk arrives. */
  shortest: 20,
  /** A chunk of this length is not extended by another sentence or clause. */
  enough: 40,
  /** The first chunk is at most this long if possible. */
  long: 100,
  /** Longest first chunk, if no sentence and no clause ends before. */
  longest: 150,
};
/** UTF-16 code units that decide about a cut near `LENGTH.longest`. */
const CONTEXT = 300;
/** Limits of a chunk that decide about its end: the time for the cuts of a long text stays short. */
const NEAR = 3;
/** Depth for `eachCut`: sentences and words, and so clauses. */
const CLAUSES = 2;

/**
 * Cuts a text as `cutText` does, but into a first chunk of about 100 UTF-16 code units at most, so that its audio arrives
 * early: a sentence or some short sentences, or else a clause. A text that fits into `MAX_TEXT_LENGTH` is not cut. A text without
 * an end of a sentence or clause in its first 150 code units has no short first chunk. Where longer chunks are permitted, the limit doubles
 * from chunk to chunk: a service must not speak for minutes before the second chunk arrives.
 */
export function cutQuickStart(text: string, options: ChunkOptions = {}): Chunk[] {
  const whole = trimSpan(text, { start: 0, end: text.length });
  const { maxLength = MAX_TEXT_LENGTH } = options;
  const shortest = Math.min(maxLength, MAX_TEXT_LENGTH);
  const isLong = whole.end - whole.start > shortest;
  const cut = isLong ? firstCut(text, whole, options) : undefined;
  if (cut === undefined) return growing(text, whole, options, shortest);
  const first = { text: text.slice(whole.start, cut.end), start: whole.start, end: cut.end };
  return [first, ...growing(text, { start: cut.start, end: whole.end }, options, shortest)];
}

/** Cuts a part of a text into chunks whose limit doubles, from `shortest` to `maxLength`. */
function growing(text: string, { start, end }: Span, options: ChunkOptions, shortest: number): Chunk[] {
  const { maxLength = MAX_TEXT_LENGTH } = options;
  const chunks: Chunk[] = [];
  let from = start;
  for (let limit = shortest; limit < maxLength && end - from > limit; limit *= 2) {
    const near = { start: from, end: Math.min(end, from + NEAR * limit) };
    const [next, after] = cutSpan(text, near, { ...options, maxLength: limit });
    if (next === undefined || after === undefined) break;
    chunks.push(next);
    from = after.start;
  }
  return [...chunks, ...cutSpan(text, { start: from, end }, options)];
}

interface Candidate {
  cut: Cut;
  length: number;
  /** Lower is better. */
  grade: number;
}

function firstCut(text: string, { start, end }: Span, options: ChunkOptions): Cut | undefined {
  const beginning = text.slice(0, start + LENGTH.longest + CONTEXT);
  const span = trimSpan(beginning, { start, end: beginning.length });
  let best: Candidate | undefined;
  eachCut(createSource(beginning, { ...options, maxLength: CONTEXT }), span, CLAUSES, (cut) => {
    const length = cut.end - start;
    const grade = gradeOf(cut, length);
    if (grade === undefined || !isBetter({ cut, length, grade }, best)) return;
    if (isSpeakable(text.slice(start, cut.end)) && isSpeakable(text.slice(cut.start, end)))
      best = { cut, length, grade };
  });
  return best?.cut;
}

/** Returns whether a later candidate is better: it has a better grade, or the same grade and more than too little text. */
function isBetter({ grade }: Candidate, best: Candidate | undefined): boolean {
  if (best === undefined || grade < best.grade) return true;
  return grade === best.grade && best.length < LENGTH.enough;
}

/** Returns undefined for an unsuitable cut. A sentence is best, then a clause, a very short sentence, and a long chunk. */
function gradeOf({ rank }: Cut, length: number): number | undefined {
  if (length > LENGTH.longest || rank > Rank.clause) return undefined;
  if (length > LENGTH.long) return 3;
  if (length >= LENGTH.shortest) return rank === Rank.clause ? 1 : 0;
  return rank === Rank.clause ? undefined : 2;
}
