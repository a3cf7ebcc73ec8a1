import { peakOf } from '../../../kit/audio/samples.js';

/**
 * The loudness of a voice. One gain for all sentences keeps the differences of the model, and lets a sentence start before its end is
 * computed.
 */
export class VoiceLoudness {
  /** The loudest sample of a typical sentence. */
  #peak: number | undefined;

  /** @param peak from the measurement of the voice. Without one, its first sentence decides. */
  constructor(peak: number | undefined) {
    this.#peak = peak;
  }

  get isKnown(): boolean {
    return this.#peak !== undefined;
  }

  /**
   * Returns the peak that becomes -3 dBFS.
   * @param samples of a sentence or of a part of it
   */
  peakFor(samples: Float32Array, isWhole: boolean): number {
    if (this.#peak !== undefined) return this.#peak;
    const peak = peakOf(samples);
    if (isWhole && peak > 0) this.#peak = peak;
    return peak > 0 ? peak : 1;
  }
}
