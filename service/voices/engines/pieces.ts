import type { Phoneme, EnginePiece } from './engine.js';

/** Length of a piece in seconds. */
export function pieceSeconds({ samples, sampleRate }: EnginePiece): number {
  return samples.length / sampleRate;
}

/** The same phonemes, later by a number of seconds. */
export function shiftPhonemes(phonemes: readonly Phoneme[], seconds: number): Phoneme[] {
  return phonemes.map((phoneme) => ({ ...phoneme, start: phoneme.start + seconds }));
}

/** Moves the phonemes of each piece from the time of the piece to the time of the whole speech. */
export async function* onOneTimeline(pieces: AsyncIterable<EnginePiece>): AsyncGenerator<EnginePiece> {
  let start = 0;
  for await (const piece of pieces) {
    yield { ...piece, phonemes: shiftPhonemes(piece.phonemes, start) };
    start += pieceSeconds(piece);
  }
}
