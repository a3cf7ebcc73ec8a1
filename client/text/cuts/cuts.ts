import {
  codePointPositions,
  graphemePositions,
  graphemeRank,
  markPositions,
  rankWord,
  wordPositions,
} from './breaks.js';
import { joinsAt, type Span } from '../characters.js';
import { isInside } from './guards.js';
import { rankSentence, sentencePositions } from './sentences.js';
import { type Gap, gapAt, Rank, type Source } from './source.js';

/** A possible cut. The white space from `end` to `start` belongs to neither side. */
export interface Cut extends Span {
  readonly rank: Rank;
}

/** Returns the rank of a cut at `gap`, or undefined if the text must not be cut there. */
type Ranking = (gap: Gap) => Rank | undefined;

/** One granularity of cutting a span. */
interface Level {
  readonly positions: (source: Source, span: Span) => Iterable<number>;
  readonly ranking: (source: Source, span: Span) => Ranking;
  /** The rank of a cut that separates a grapheme from its white space. If undefined, such cuts are not allowed. */
  readonly insideGrapheme?: Rank;
}

const always =
  (rank: Rank): Ranking =>
  () =>
    rank;

const words = (worst: Rank): Level => ({
  positions: wordPositions,
  ranking: (source) => (gap) => {
    const rank = rankWord(source, gap);
    return rank === undefined || rank > worst ? undefined : rank;
  },
});

/** All levels, from coarse to fine. */
const levels: readonly Level[] = [
  { positions: sentencePositions, ranking: (source) => (gap) => rankSentence(source, gap) },
  words(Rank.word),
  words(Rank.joint),
  { positions: markPositions, ranking: () => always(Rank.mark) },
  {
    positions: graphemePositions,
    ranking: (source, span) => always(graphemeRank(source, span)),
    insideGrapheme: Rank.codePoint,
  },
  { positions: codePointPositions, ranking: () => always(Rank.codePoint), insideGrapheme: Rank.codePoint },
];

/** Depth for `eachCut`: every sentence is a candidate. Only a sentence longer than a chunk is cut further. */
export const wholeSentences = 1;
/** Depth for `eachCut`: every grapheme is a candidate, even in a sentence that fits. Code points stay the last resort. */
export const everyGrapheme = 5;

/**
 * Calls `visit` for every possible cut inside `span`, in order. Levels up to `depth` are always cut. Deeper levels are cut
 * only if their span is longer than a chunk, so a sentence, a word, a number or an address that fits stays whole.
 */
export function eachCut(source: Source, span: Span, depth: number, visit: (cut: Cut) => void): void {
  cutLevel(source, span, depth, visit, 0);
}

function cutLevel(source: Source, span: Span, depth: number, visit: (cut: Cut) => void, index: number): void {
  const level = levels[index];
  if (level === undefined || (index >= depth && span.end - span.start <= source.maxLength)) return;
  let { start } = span;
  for (const cut of cutsAt(source, span, level)) {
    cutLevel(source, { start, end: cut.end }, depth, visit, index + 1);
    visit(cut);
    start = cut.start;
  }
  cutLevel(source, { start, end: span.end }, depth, visit, index + 1);
}

function* cutsAt(source: Source, span: Span, level: Level): Generator<Cut> {
  const rankOf = level.ranking(source, span);
  let seen = span.start;
  for (const position of level.positions(source, span)) {
    if (position <= seen) continue; // Inside white space that the previous gap covers.
    const gap = gapAt(source, span, position);
    seen = gap.start;
    if (gap.start >= span.end || gap.end <= span.start) continue;
    if (isInside(source.whole, gap.start) || isInside(source.whole, gap.end)) continue;
    const rank = splitsGrapheme(source, gap) ? level.insideGrapheme : rankOf(gap);
    if (rank !== undefined) yield { start: gap.start, end: gap.end, rank };
  }
}

const splitsGrapheme = ({ text }: Source, { start, end }: Gap): boolean =>
  joinsAt(text, end) || joinsAt(text, start);
