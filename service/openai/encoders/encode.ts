import type { SignedMark } from '@herald-speech/client/audio';
import type { SynthesizedAudio } from '../../voices/workers/jobs.js';

export interface EncodeOptions {
  /**
   * Whether the reply waits for the whole speech. The file then states its exact length. Otherwise, the first bytes leave with
   * the first piece.
   */
  isWhole: boolean;
  /** The mark of synthetic speech; undefined for a file without a mark. PCM has no place for one. */
  mark: SignedMark | undefined;
  /** Aborts when the service closes, and ends idle threads. */
  closing: AbortSignal;
  /** Aborts when the caller hangs up. The pieces fail then. */
  signal?: AbortSignal;
}

/** Encodes the pieces of one speech to a file, in parts. The end of the loop over the parts ends the encoder. */
export type Encode = (
  pieces: AsyncIterable<SynthesizedAudio>,
  options: EncodeOptions,
) => AsyncIterable<Uint8Array>;
