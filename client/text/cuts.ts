import {
  codePointPositions,
  graphemePositions,
  graphemeRank,
  markPositions,
  rankWord,
  wordPositions,
} from './breaks.js';
import { joinsAt, type Span } from './characters.js';
import { rankSentence, sentencePositions } from './sentences.js';
import { type Gap, gapAt, Rank, type Source } from './source.js';

/** A place where the text may be cut: white space from `end` to `start` belongs to neither side. */
export interface Cut extends Span {
  readonly rank: Rank;
}

/** How good a cut is, or undefined where none may be. */
type Ranking = (gap: Gap) => Rank | undefined;

/** One way to take a span apart, finer from level to level. */
interface Level {
  readonly positions: (source: Source, span: Span) => Iterable<number>;
  readonly ranking: (source: Source, span: Span) => Ranking;
  /** How bad a cut is that leaves behind the white space of its grapheme; without this there is no such cut. */
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

/** Down to sentences; below, only what is longer than a chunk is taken apart. */
export const wholeSentences = 1;
/** Down to graphemes, also where a sentence would fit; code points stay the last resort. */
export const everyGrapheme = 5;

/**
 * Calls `visit` for every cut inside `span`, in order. A level below `depth` is always taken apart, a deeper one
 * only where a span is longer than a chunk: so a sentence, a word, a number and an address that fit stay whole.
 */
export function eachCut(source: Source, span: Span, depth: number, visit: (cut: Cut) => void): void {
  takeApart(source, span, depth, visit, 0);
}

function takeApart(
  source: Source,
  span: Span,
  depth: number,
  visit: (cut: Cut) => void,
  index: number,
): void {
  const level = levels[index];
  if (level === undefined || (index >= depth && span.end - span.start <= source.maxLength)) return;
  let { start } = span;
  for (const cut of cutsAt(source, span, level)) {
    takeApart(source, { start, end: cut.end }, depth, visit, index + 1);
    visit(cut);
    start = cut.start;
  }
  takeApart(source, { start, end: span.end }, depth, visit, index + 1);
}

function* cutsAt(source: Source, span: Span, level: Level): Generator<Cut> {
  const rankOf = level.ranking(source, span);
  let seen = span.start;
  for (const position of level.positions(source, span)) {
    if (position <= seen) continue; // in white space that has been looked at
    const gap = gapAt(source, span, position);
    seen = gap.start;
    if (gap.start >= span.end || gap.end <= span.start) continue;
    const rank = splitsGrapheme(source, gap) ? level.insideGrapheme : rankOf(gap);
    if (rank !== undefined) yield { start: gap.start, end: gap.end, rank };
  }
}

const splitsGrapheme = ({ text }: Source, { start, end }: Gap): boolean =>
  joinsAt(text, end) || joinsAt(text, start);
