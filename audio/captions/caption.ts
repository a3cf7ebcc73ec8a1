import type { Phonemes } from '@herald-speech/client/interface';

/** A spoken text for captions. All times are in seconds of the output. */
export interface Caption {
  text: string;
  start: number;
  duration: number;
  /** The times of the phonemes, which place the words. Without them, the words share the duration by their length. */
  phonemes?: Phonemes | undefined;
  /** Seconds from the times of the phonemes to the output: the chime, silences and repetitions. Default 0. */
  offset?: number;
}

/** A piece of `client.stream`, as far as captions need it. */
export interface SpokenPiece {
  text: string;
  /** Seconds from the start of the speech, as the phonemes. */
  start: number;
  phonemes?: Phonemes | undefined;
}

/** The place of a piece in a rendering, such as a part. */
export interface SpokenPart {
  piece: SpokenPiece;
  start: number;
  duration: number;
}

/** Returns the caption of a part of a rendering. */
export function captionOf({ piece, start, duration }: SpokenPart): Caption {
  return { text: piece.text, start, duration, phonemes: piece.phonemes, offset: start - piece.start };
}
