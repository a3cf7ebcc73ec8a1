import { isSpeakable, type Span } from './characters.js';
import { type Cut, eachCut } from './cuts.js';
import { Rank, type Source } from './source.js';

/**
 * What a cut costs next to unevenness, in squares of the longest chunk. Between a clause and a word it is worth
 * chunks that differ by 80 % of the longest; between a paragraph and a sentence, by 20 %.
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

/** A chunk without a letter or digit outweighs any number of chunks. */
const unspeakable = 2 ** 26;

/** The best way to cut the text up to `end`; `previous` is the one up to where the last chunk begins. */
interface Way extends Span {
  readonly previous: Way | undefined;
}

/**
 * Cuts `span` into chunks: as few as can be without a letter or digit, then as few as can be, then as even as can
 * be at the best places. Dynamic programming over the cuts: time grows with their number times those per chunk.
 */
export function pack(source: Source, span: Span, depth: number): Span[] {
  const ways = new Ways(source, span);
  eachCut(source, span, depth, (cut) => ways.reach(cut));
  ways.reach({ start: span.end, end: span.end, rank: Rank.paragraph });
  return ways.chunks();
}

/** The best ways to the cuts that a next chunk can begin after: a ring, so that memory stays bounded. */
class Ways {
  readonly #source: Source;
  /** The ring's size is a power of two, for a cheap remainder: `index & mask` is the slot of a way. */
  readonly #mask: number;
  readonly #starts: Int32Array;
  /** Chunks so far, those without a letter or digit weighing `unspeakable` more. */
  readonly #counts: Float64Array;
  /** Unevenness so far (the sum of squared lengths), and the penalties of the cuts. */
  readonly #costs: Float64Array;
  readonly #ways: Way[];
  #first = 0;
  #last = 0;
  /** The last cut with a letter or digit between it and the cut before. */
  #heard = 0;

  constructor(source: Source, { start, end }: Span) {
    this.#source = source;
    const size = 2 ** Math.ceil(Math.log2(Math.min(source.maxLength, end - start) + 2));
    this.#mask = size - 1;
    this.#starts = new Int32Array(size).fill(start, 0, 1);
    this.#counts = new Float64Array(size);
    this.#costs = new Float64Array(size);
    this.#ways = [{ start, end: start, previous: undefined }];
  }

  /** Finds the best last chunk for the text up to `cut`. */
  reach({ start, end, rank }: Cut): void {
    const { text, maxLength } = this.#source;
    if (isSpeakable(text.slice(this.#starts[this.#last & this.#mask], end))) this.#heard = this.#last + 1;
    while (this.#first < this.#last && end - (this.#starts[this.#first & this.#mask] ?? 0) > maxLength)
      this.#first++;
    const best = this.#bestBefore(end);
    const slot = ++this.#last & this.#mask;
    this.#starts[slot] = start;
    this.#counts[slot] = best.count;
    this.#costs[slot] = best.cost + penalties[rank] * maxLength * maxLength;
    this.#ways[slot] = { start, end, previous: this.#ways[best.slot] };
  }

  #bestBefore(end: number): { slot: number; count: number; cost: number } {
    const [starts, counts, costs, mask, heard] = [
      this.#starts,
      this.#counts,
      this.#costs,
      this.#mask,
      this.#heard,
    ];
    let slot = 0;
    let count = Infinity;
    let cost = Infinity;
    for (let index = this.#last; index >= this.#first; index--) {
      const way = index & mask;
      const wayCount = (counts[way] ?? 0) + (index < heard ? 1 : 1 + unspeakable);
      if (wayCount > count) continue;
      const length = end - (starts[way] ?? 0);
      const wayCost = (costs[way] ?? 0) + length * length;
      if (wayCount === count && wayCost >= cost) continue;
      [slot, count, cost] = [way, wayCount, wayCost];
    }
    return { slot, count, cost };
  }

  chunks(): Span[] {
    const chunks: Span[] = [];
    let way = this.#ways[this.#last & this.#mask];
    for (; way?.previous !== undefined; way = way.previous) {
      chunks.push({ start: way.previous.start, end: way.end });
    }
    return chunks.toReversed();
  }
}
