import {
  integratedLoudness,
  measureLoudness,
  startStepMeter,
  type StepMeter,
} from '@herald-speech/client/audio';
import { VOICE_LOUDNESS } from '../../../kit/audio/level.js';

/**
 * The loudness of a natural voice before its gain. One gain for all sentences keeps the differences of the model, and lets a
 * sentence start before its end is computed.
 */
export class VoiceLoudness {
  #lufs: number | undefined;

  /** @param lufs from the measurement of the voice. Without one, its first sentence decides. */
  constructor(lufs: number | undefined) {
    this.#lufs = lufs;
  }

  get isKnown(): boolean {
    return this.#lufs !== undefined;
  }

  /**
   * Returns the loudness of the voice in LUFS.
   * @param samples of a whole sentence, which decides if the loudness is unknown
   */
  lufs(samples: Float32Array, sampleRate: number): number {
    if (this.#lufs !== undefined) return this.#lufs;
    const lufs = measureLoudness(samples, sampleRate);
    if (!Number.isFinite(lufs)) return VOICE_LOUDNESS;
    return (this.#lufs = lufs);
  }
}

/** Sentences that determine the loudness of a speaker. */
const ENOUGH = 4;

/** Measures the loudness of the speakers of a natural voice. */
export class SpeakerLoudness {
  readonly #sampleRate: number;
  readonly #speakers = new Map<number, { meter: StepMeter; sentences: number }>();

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  /** @param samples a sentence of the model. `speaker` is null for a voice with one speaker. */
  add(speaker: number | null, samples: Float32Array): void {
    const id = speaker ?? 0;
    const heard = this.#speakers.get(id) ?? { meter: startStepMeter(this.#sampleRate), sentences: 0 };
    heard.meter.push(samples);
    heard.sentences += 1;
    this.#speakers.set(id, heard);
  }

  /** Returns the loudness in LUFS by the id of the speaker, without speakers that were silent or spoke too little. */
  lufs(): Record<string, number> {
    const known = [...this.#speakers].filter(([, { sentences }]) => sentences >= ENOUGH);
    const all = known.map(([id, { meter }]) => [id, integratedLoudness(meter.steps())] as const);
    return Object.fromEntries(all.filter(([, lufs]) => Number.isFinite(lufs)));
  }
}
