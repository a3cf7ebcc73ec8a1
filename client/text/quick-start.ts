import { isSpeakable, type Span, trimSpan } from './characters.js';
import { type Chunk, type ChunkOptions, cutText } from './chunk.js';
import { type Cut, eachCut } from './cuts.js';
import { cutSpan } from './sentence-cuts.js';
import { createSource, Rank } from './source.js';

/** Longest first chunk in UTF-16 code units: about six seconds of speech, so that the next chunk arrives in time. */
const LONGEST = 100;
/** A shorter first chunk could end before the next chunk arrives. */
const SHORTEST = 20;
/** UTF-16 code units that decide about a cut near `LONGEST`. */
const CONTEXT = 300;
/** Depth for `eachCut`: sentences and words, and so clauses. */
const CLAUSES = 2;

/**
 * Cuts a text as `cutText` does, but into a first chunk of at most 100 UTF-16 code units, so that its audio arrives early:
 * as many sentences as fit, or else a clause. Returns at most one chunk more than `cutText`. A text of at most 100 code
 * units is cut as usual, and so is a text without an end of a sentence or clause in this range.
 */
export function cutQuickStart(text: string, options: ChunkOptions = {}): Chunk[] {
  const whole = trimSpan(text, { start: 0, end: text.length });
  const cut = whole.end - whole.start > LONGEST ? firstCut(text, whole, options.language) : undefined;
  if (cut === undefined) return cutText(text, options);
  const first = { text: text.slice(whole.start, cut.end), start: whole.start, end: cut.end };
  return [first, ...cutSpan(text, { start: cut.start, end: whole.end }, options)];
}

/** Returns the best end of the first chunk: a sentence, a clause, or a very short sentence. Of equals, the last one. */
function firstCut(text: string, { start, end }: Span, language: string | undefined): Cut | undefined {
  const beginning = text.slice(0, start + LONGEST + CONTEXT);
  const span = trimSpan(beginning, { start, end: beginning.length });
  let best: { cut: Cut; grade: number } | undefined;
  eachCut(createSource(beginning, CONTEXT, language), span, CLAUSES, (cut) => {
    const grade = gradeOf(cut, cut.end - start);
    if (grade === undefined || grade > (best?.grade ?? grade)) return;
    if (isSpeakable(text.slice(start, cut.end)) && isSpeakable(text.slice(cut.start, end)))
      best = { cut, grade };
  });
  return best?.cut;
}

/** Returns the grade of a first chunk of `length`, lower for a better one; undefined for an unsuitable one. */
function gradeOf({ rank }: Cut, length: number): number | undefined {
  if (length > LONGEST || rank > Rank.clause) return undefined;
  if (length >= SHORTEST) return rank === Rank.clause ? 1 : 0;
  return rank === Rank.clause ? undefined : 2;
}
