import type { Dressing } from './dressing/dressing.js';
import type { OutputFormat } from './format/format.js';

/** A piece of speech: a complete WAV or MP3 file. `index` and `count` tell which piece is the last one. */
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

/** The audio of all pieces, in one format. */
export interface Rendering<P extends Piece> {
  /** The media type. */
  mime: string;
  /** The file extension without a dot: `wav`, `mp3`, `sln16`, `ulaw`, `alaw`, `pcm`. */
  extension: string;
  /** Hertz. */
  sampleRate: number;
  channels: number;
  encoding: 'pcm' | 'float' | 'mulaw' | 'alaw' | 'mp3';
  /** The audio in order. Pulls the next piece when the reader pulls the next part. Reads once. */
  parts: AsyncIterable<Part<P>>;
  /**
   * Creates the header for `dataBytes` bytes of audio. All headers of a rendering have the same length. Undefined means that
   * the length is not known yet. After the last part, the header of an MP3 also has the number of frames.
   */
  header(dataBytes: number | undefined): Uint8Array;
}

export interface RenderOptions {
  /** Default `unchanged`: the format of the first piece. */
  format?: OutputFormat | 'unchanged';
  /** Default: no dressing. */
  dressing?: Dressing;
  /** Ends the rendering: `parts` throws the reason. */
  signal?: AbortSignal;
}
