import { MAX_TEXT_LENGTH } from '../interface/limits.js';
import { isSpeakable, type Span, trimSpan } from './characters.js';
import { type Chunk, type ChunkOptions, cutText } from './chunk.js';
import { type Cut, eachCut } from './cuts.js';
import { cutSpan } from './sentence-cuts.js';
import { createSource, Rank } from './source.js';

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
/** Depth for `eachCut`: sentences and words, and so clauses. */
const CLAUSES = 2;

/**
 * Cuts a text as `cutText` does, but into a first chunk of about 100 UTF-16 code units at most, so that its audio arrives
 * early: a sentence or some short sentences, or else a clause. Returns at most one chunk more than `cutText`. A text that
 * fits into one chunk is not cut. A text without an end of a sentence or clause in its first 150 code units is cut as usual.
 */
export function cutQuickStart(text: string, options: ChunkOptions = {}): Chunk[] {
  const whole = trimSpan(text, { start: 0, end: text.length });
  const { maxLength = MAX_TEXT_LENGTH } = options;
  const isLong = whole.end - whole.start > maxLength;
  const cut = isLong ? firstCut(text, whole, options) : undefined;
  if (cut === undefined) return cutText(text, options);
  const first = { text: text.slice(whole.start, cut.end), start: whole.start, end: cut.end };
  return [first, ...cutSpan(text, { start: cut.start, end: whole.end }, options)];
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
