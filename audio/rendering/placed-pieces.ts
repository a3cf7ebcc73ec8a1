import type { Piece } from './rendering.js';
import { Spool } from './spool.js';

/** The place of a piece in the output. */
export interface PlacedPiece<P> {
  piece: P;
  /** 0 for the first time. */
  repetition: number;
  /** `speech`: another piece follows. `repetition`: the first piece follows. `end`: no piece follows. */
  next: 'speech' | 'repetition' | 'end';
}

/** Yields the pieces in order, `repeat` times. Reads `source` once. */
export async function* placedPieces<P extends Piece>(
  first: P,
  source: AsyncIterator<P>,
  repeat: number,
): AsyncGenerator<PlacedPiece<P>, void, undefined> {
  const spool = new Spool();
  const pieces: P[] = [];
  try {
    for await (const { piece, isLast } of markLast(first, source)) {
      if (repeat > 1) {
        await spool.add(piece.audio);
        pieces.push({ ...piece, audio: new Uint8Array() });
      }
      yield { piece, repetition: 0, next: nextOf(isLast, 0, repeat) };
    }
    for (let repetition = 1; repetition < repeat; repetition += 1) {
      for (const [index, piece] of pieces.entries()) {
        const isLast = index === pieces.length - 1;
        const audio = await spool.get(index);
        yield { piece: { ...piece, audio }, repetition, next: nextOf(isLast, repetition, repeat) };
      }
    }
  } finally {
    await Promise.all([spool.close(), source.return?.()]);
  }
}

function nextOf(isLast: boolean, repetition: number, repeat: number): PlacedPiece<unknown>['next'] {
  if (!isLast) return 'speech';
  return repetition + 1 < repeat ? 'repetition' : 'end';
}

/**
 * Marks the last piece. If `index` and `count` announce a further piece, the piece is available at once. Otherwise it waits for
 * the end of the pieces.
 */
async function* markLast<P extends Piece>(
  first: P,
  source: AsyncIterator<P>,
): AsyncGenerator<{ piece: P; isLast: boolean }, void, undefined> {
  for (let piece: P | undefined = first; piece !== undefined;) {
    const { index, count }: Piece = piece;
    const isFollowed = index !== undefined && count !== undefined && index + 1 < count;
    if (isFollowed) yield { piece, isLast: false };
    const next: P | undefined = await pull(source);
    if (!isFollowed) yield { piece, isLast: next === undefined };
    piece = next;
  }
}

async function pull<P>(source: AsyncIterator<P>): Promise<P | undefined> {
  const next = await source.next();
  return next.done === true ? undefined : next.value;
}
