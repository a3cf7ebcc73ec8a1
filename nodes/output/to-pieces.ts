import type { RenderedPart, RenderedAudio } from './rendered-audio.js';

/** A piece of a text, as the client counts them. */
export interface CountedPiece {
  count: number;
}

/** The value of `msg.parts`, as Node-RED's split and join nodes use it. */
export interface MessageParts {
  id: string;
  /** The join node in automatic mode collects the payloads in an array. */
  type: 'array';
  /** Payloads of one message. */
  len: 1;
  index: number;
  count: number;
}

interface PieceOfAudio<Piece> {
  /** A complete file. */
  payload: Buffer;
  part: RenderedPart<Piece>;
  parts: MessageParts;
  isLast: boolean;
}

/**
 * Yields each part of the audio, which must be a complete file.
 * @param id the same for all pieces of a message
 * @param repeat the number of times that the text is spoken
 */
export async function* split<Piece extends CountedPiece>(
  rendering: RenderedAudio<Piece>,
  id: string,
  repeat: number,
): AsyncGenerator<PieceOfAudio<Piece>, void, undefined> {
  let index = 0;
  for await (const part of rendering.parts) {
    const count = part.piece.count * repeat;
    const { buffer, byteOffset, byteLength } = part.data;
    const payload = Buffer.from(buffer, byteOffset, byteLength);
    yield { payload, part, parts: { id, type: 'array', len: 1, index, count }, isLast: index + 1 === count };
    index += 1;
  }
}
