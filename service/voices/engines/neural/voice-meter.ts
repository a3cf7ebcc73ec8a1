import type { InstalledVoice } from '../../installed/installed-voice.js';
import type { Measurement } from '../../installed/measurements.js';
import { fileNamesOf } from '../../installed/voice-name.js';
import { SpeakerLoudness } from './loudness.js';
import { MAX_MODEL_THREADS, type NeuralSpoken } from './process/messages.js';
import type { Sentence } from './process/neural-child.js';
import { driftOf, fitPace, type PaceSample } from './pace/fit-pace.js';
import type { Pace } from './pace/pace.js';
import { audibleExtent } from './timing.js';

/** The figures of a voice, from sentences that it spoke: those of its installation, or of its use. */
export class VoiceMeter {
  readonly voice: InstalledVoice;
  readonly #loudness: SpeakerLoudness;
  readonly #samples: PaceSample[] = [];
  #last: NeuralSpoken | undefined;
  #memoryBytes = 0;
  /**
   * Seconds of processor time for a second of audio. Other programs can only raise the number, since threads wait for each other and
   * lose their caches, so the lowest one of all sentences counts.
   */
  #least = Infinity;
  /** The number of a sentence that loaded the model. It counts if there is no other. */
  #first = Infinity;
  /** Processors that the model uses at once. Other programs can only lower the measured number, so the highest one counts. */
  #processors = 1;

  constructor(voice: InstalledVoice) {
    this.voice = voice;
    this.#loudness = new SpeakerLoudness(voice.config.sampleRate);
  }

  get sentences(): number {
    return this.#samples.length;
  }

  /** @param spoken the result of `sentence` */
  add({ ids, scales: [, scale], speaker }: Sentence, spoken: NeuralSpoken): void {
    const { samples, durations, memoryBytes } = spoken;
    const { config } = this.voice;
    const seconds = samples.length / config.sampleRate;
    const { from, to } = audibleExtent(samples, config.sampleRate);
    this.#samples.push({
      ids,
      stretch: scale / config.lengthScale,
      seconds,
      audible: to - from,
      durations,
    });
    this.#loudness.add(speaker, samples);
    this.#addWork(spoken, seconds);
    this.#last = spoken;
    this.#memoryBytes = Math.max(this.#memoryBytes, memoryBytes);
  }

  /** The first run after the loading of a model prepares its code, so it takes longer. */
  #addWork({ loadMs, runMs, cpuMs }: NeuralSpoken, audio: number): void {
    const work = cpuMs / 1000 / audio;
    if (loadMs > 0) {
      this.#first = Math.min(this.#first, work);
      return;
    }
    this.#least = Math.min(this.#least, work);
    if (runMs > 0) this.#processors = Math.min(MAX_MODEL_THREADS, Math.max(this.#processors, cpuMs / runMs));
  }

  /**
   * Returns the seconds of computation for a second of audio on a computer without other work: the processor time, shared among the
   * processors that the model uses.
   */
  get #realTimeFactor(): number {
    const work = Number.isFinite(this.#least) ? this.#least : this.#first;
    return Math.max(0.001, work / this.#processors);
  }

  /** Returns the factor by which the sentences were longer than a pace predicts. */
  drift(pace: Pace): number {
    return driftOf(this.voice.config, pace, this.#samples);
  }

  /** Returns all figures but the pitch, undefined before the first sentence. */
  figures(): Omit<Measurement, 'pitch'> | undefined {
    if (this.#last === undefined) return undefined;
    const { config, record, name } = this.voice;
    return {
      realTimeFactor: this.#realTimeFactor,
      sentences: this.sentences,
      memoryBytes: this.#memoryBytes,
      runtime: this.#last.runtime,
      modelSha256: record.files[fileNamesOf(name).model]?.sha256 ?? '',
      at: new Date().toISOString(),
      loudness: this.#loudness.lufs(),
      pace: fitPace(config, this.#samples),
    };
  }
}
