/** The properties of rendered audio that its destination needs. `render` and `renderEach` of the audio package return more. */

/** A part of the audio, with the piece of the text that it speaks. */
export interface RenderedPart<Piece> {
  piece: Piece;
  /** Encoded audio: without a file header, or a complete file if the rendering has no headers. */
  data: Uint8Array;
  /** Seconds in the whole audio. */
  start: number;
  /** Seconds. */
  duration: number;
}

/** The formats of captions: WebVTT and SubRip. Each is also the extension of its files. */
export type CaptionFormat = 'vtt' | 'srt';

/** Audio that is rendered while its reader pulls the parts. */
export interface RenderedAudio<Piece> {
  /** Extension of the file name, such as `wav` or `ulaw`. */
  extension: string;
  parts: AsyncIterable<RenderedPart<Piece>>;
  /**
   * Returns the header of a file with `dataBytes` bytes of audio, or with an unknown number. All headers of a rendering have
   * the same length. The exact header is known after the last part. Undefined if each part is a complete file.
   */
  header?(dataBytes: number | undefined): Uint8Array;
  /** Returns the bytes after `dataBytes` bytes of audio. Undefined if each part is a complete file. */
  trailer?(dataBytes: number): Uint8Array;
  /** Returns the captions of the parts so far. */
  captions?(format: CaptionFormat): string;
}

const NOTHING = new Uint8Array();

export const headerOf = <Piece>(rendering: RenderedAudio<Piece>, dataBytes: number | undefined): Uint8Array =>
  rendering.header?.(dataBytes) ?? NOTHING;

export const trailerOf = <Piece>(rendering: RenderedAudio<Piece>, dataBytes: number): Uint8Array =>
  rendering.trailer?.(dataBytes) ?? NOTHING;
