/** Turns samples to bytes of the output format. */
export interface Encoder {
  mime: string;
  extension: string;
  encoding: 'pcm' | 'float' | 'mulaw' | 'alaw' | 'mp3';
  channels: number;
  /** dB by which the true peak of the decoded audio may exceed the true peak of the samples. */
  headroom: number;
  /** Encodes samples. May keep some for the next call. */
  encode(samples: Float32Array, signal?: AbortSignal): Promise<Uint8Array>;
  /** Adds audio that is encoded already. */
  count(data: Uint8Array): void;
  /** Returns the rest. */
  end(): Uint8Array;
  /** Returns the file header for `dataBytes` bytes; undefined if the number is not known yet. */
  header(dataBytes: number | undefined): Uint8Array;
  /** Returns the bytes after `dataBytes` bytes of audio. */
  trailer(dataBytes: number): Uint8Array;
  /** Releases the codec. */
  free(): void;
}
