import { isSpeakable, type Span } from './characters.js';
import { type Cut, eachCut } from './cuts/cuts.js';
import { Rank, type Source } from './cuts/source.js';

/**
 * The penalty of a cut by rank, as a multiple of `maxLength` squared, so that it compares with squared chunk lengths.
 * A cut after a clause instead of a word outweighs chunk lengths that differ by 80 % of `maxLength`. A cut after a
 * paragraph instead of a sentence outweighs a difference of 20 %.
 */
const penalties: Readonly<Record<Rank, number>> = {
  [Rank.paragraph]: 0,
  [Rank.sentence]: 0.02,
  [Rank.clause]: 0.3,
  [Rank.word]: 0.65,
  [Rank.joint]: 0.9,
  [Rank.mark]: 1.2,
  [Rank.grapheme]: 2,
  [Rank.codePoint]: 4,
};

/** Added to the chunk count for a chunk without a letter or digit. Exceeds any real number of chunks. */
const unspeakable = 2 ** 26;

/** The best cutting of the text up to `end`. `previous` is the best cutting up to the start of the last chunk. */
interface Solution extends Span {
  readonly previous: Solution | undefined;
}

/**
 * Cuts `span` into chunks. Minimizes three figures, the first one first: the number of chunks without a letter or
 * digit, the number of chunks, and the sum of unevenness and penalties. Uses dynamic programming in O(n · m) time for n
 * possible cuts, m of them within one chunk.
 */
export function pack(source: Source, span: Span, depth: number): Span[] {
  const solutions = new Solutions(source, span);
  eachCut(source, span, depth, (cut) => solutions.extend(cut));
  solutions.extend({ start: span.end, end: span.end, rank: Rank.paragraph });
  return solutions.chunks();
}

/** The best solutions for all cuts that can precede the next chunk. A ring buffer bounds the memory. */
class Solutions {
  private readonly source: Source;
  /** The size of the ring is a power of two, so `index & mask` is the slot of a solution. */
  private readonly mask: number;
  private readonly starts: Int32Array;
  /** The number of chunks, plus `unspeakable` for each chunk without a letter or digit. */
  private readonly counts: Float64Array;
  /** The sum of squared chunk lengths and of the penalties of the cuts. */
  private readonly costs: Float64Array;
  private readonly solutions: Solution[];
  private first = 0;
  private last = 0;
  /** A chunk from a cut with a lower index up to the current cut contains a letter or digit. */
  private speakableBelow = 0;

  constructor(source: Source, { start, end }: Span) {
    this.source = source;
    const size = 2 ** Math.ceil(Math.log2(Math.min(source.maxLength, end - start) + 2));
    this.mask = size - 1;
    this.starts = new Int32Array(size).fill(start, 0, 1);
    this.counts = new Float64Array(size);
    this.costs = new Float64Array(size);
    this.solutions = [{ start, end: start, previous: undefined }];
  }

  /** Finds the best last chunk for the text up to the next cut. Cuts must be given in order. */
  extend({ start, end, rank }: Cut): void {
    const { text, maxLength } = this.source;
    if (isSpeakable(text.slice(this.starts[this.last & this.mask], end))) this.speakableBelow = this.last + 1;
    while (this.first < this.last && end - (this.starts[this.first & this.mask] ?? 0) > maxLength)
      this.first++;
    const best = this.bestBefore(end);
    const slot = ++this.last & this.mask;
    this.starts[slot] = start;
    this.counts[slot] = best.count;
    this.costs[slot] = best.cost + penalties[rank] * maxLength * maxLength;
    this.solutions[slot] = { start, end, previous: this.solutions[best.slot] };
  }

  private bestBefore(end: number): { slot: number; count: number; cost: number } {
    // Local copies: this loop runs once per pair of cuts, and fields are slower to read than variables.
    const { starts, counts, costs, mask, speakableBelow } = this;
    let slot = 0;
    let count = Infinity;
    let cost = Infinity;
    for (let index = this.last; index >= this.first; index--) {
      const candidate = index & mask;
      const candidateCount = (counts[candidate] ?? 0) + (index < speakableBelow ? 1 : 1 + unspeakable);
      if (candidateCount > count) continue;
      const length = end - (starts[candidate] ?? 0);
      const candidateCost = (costs[candidate] ?? 0) + length * length;
      if (candidateCount === count && candidateCost >= cost) continue;
      [slot, count, cost] = [candidate, candidateCount, candidateCost];
    }
    return { slot, count, cost };
  }

  /** Returns the chunks of the solution for the last cut, in order. */
  chunks(): Span[] {
    const chunks: Span[] = [];
    let solution = this.solutions[this.last & this.mask];
    for (; solution?.previous !== undefined; solution = solution.previous) {
      chunks.push({ start: solution.previous.start, end: solution.end });
    }
    return chunks.toReversed();
  }
}
