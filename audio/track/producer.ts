import type { ParsedAudio, Signing } from '@herald-speech/client/audio';

/** The properties of all audio of a rendering. */
export interface AudioType {
  /** The media type. */
  mime: string;
  /** The file extension without a dot: `wav`, `mp3`, `sln16`, `ulaw`, `alaw`, `pcm`. */
  extension: string;
  /** Hertz. */
  sampleRate: number;
  channels: number;
  encoding: 'pcm' | 'float' | 'mulaw' | 'alaw' | 'mp3';
}

/** The audio of a piece and its place in the output, in seconds. */
export interface Produced {
  data: Uint8Array;
  start: number;
  duration: number;
}

/** Produces the output from pieces. */
export interface Producer extends AudioType {
  /** Gets all audio of the file in order, for the signature. Undefined for a file without a mark. */
  readonly signing: Signing | undefined;
  /** Returns the silence and the chime before the speech. */
  lead(): Promise<Uint8Array>;
  /**
   * Adds a piece, and silence of `pause` seconds. Undefined means that the next piece follows at once.
   * @param level the loudness of the piece in LUFS of one channel. Default: as it is, or as the dressing sets it.
   */
  add(audio: ParsedAudio, pause: number | undefined, level?: number): Promise<Produced>;
  /** Adds silence, in seconds. */
  pause(seconds: number): Promise<Uint8Array>;
  /** Returns the rest. */
  end(): Promise<Produced>;
  header(dataBytes: number | undefined): Uint8Array;
  /** Returns the bytes after `dataBytes` bytes of audio. */
  trailer(dataBytes: number): Uint8Array;
  free(): void;
}
