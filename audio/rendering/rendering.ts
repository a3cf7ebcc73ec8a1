import type { Dressing } from '../dressing/dressing.js';
import type { Mark, MarkSigner } from '@herald-speech/client/audio';
import type { OutputFormat } from '../format/format.js';
import type { AudioType } from '../track/producer.js';

export type { AudioType };

/** A piece of speech: a complete WAV or MP3 file. The last piece has the `index` before `count`. */
export interface Piece {
  audio: Uint8Array;
  index?: number;
  count?: number;
}

/** The audio of one piece in the output format, without file header. */
export interface Part<P extends Piece> {
  piece: P;
  /** 0 for the first time, 1 for the first repetition. */
  repetition: number;
  /**
   * Encoded audio. A resampler and an MP3 encoder keep the last milliseconds of a piece for the next part. Chime and
   * silences belong to the first and to the last part.
   */
  data: Uint8Array;
  /** Seconds from the start of the output to the speech of the piece. */
  start: number;
  /** Seconds of the speech of the piece. */
  duration: number;
}

/** A rendering in progress. */
interface Closable {
  /** Ends the pieces and frees the codecs. Needed if the reader stops before it has read a part; harmless at the end. */
  close(): Promise<void>;
}

/** The audio of all pieces as one file. */
export interface Rendering<P extends Piece> extends AudioType, Closable {
  /**
   * The audio in order, to be read once. Pulls the next piece when the reader pulls the next part. If the number of pieces
   * differs from `count`, the end of the audio comes as an additional part of 0 seconds.
   */
  parts: AsyncIterable<Part<P>>;
  /**
   * Creates the header for `dataBytes` bytes of audio. All headers of a rendering have the same length. Undefined means that
   * the length is not known yet.
   * After the last part, the header of an MP3 also has the number of frames. The header with the mark then has its signature.
   */
  header(dataBytes: number | undefined): Uint8Array;
  /** Returns the bytes after `dataBytes` bytes of audio: the pad byte and the mark of a WAV. */
  trailer(dataBytes: number): Uint8Array;
}

/** The audio of each piece as a complete file: `data` of a part includes the header. */
export interface SeparateRendering<P extends Piece> extends AudioType, Closable {
  parts: AsyncIterable<Part<P>>;
}

export interface RenderOptions<P extends Piece = Piece> {
  /** Default `unchanged`: the format of the first piece. */
  format?: OutputFormat | 'unchanged';
  /** Default: no dressing. */
  dressing?: Dressing;
  /** Returns the mark of synthetic speech for a file with this first piece. Default: no mark. Raw formats have none. */
  mark?: ((first: P) => Mark) | undefined;
  /**
   * Returns the speaker of a piece, such as a fallback. Without a loudness in the dressing, the pieces of all others get the loudness of
   * the first speaker. Default: one speaker.
   */
  speaker?: ((piece: P) => string) | undefined;
  /** The key that signs the mark. Default: no signature. */
  signer?: MarkSigner | undefined;
  /** Whether the reader passes the header on before it knows the length. Default false. */
  live?: boolean | undefined;
  /** Ends the rendering: `parts` throws the reason. */
  signal?: AbortSignal;
}
