import type { Dressing } from '../dressing/dressing.js';
import { type Resampler, startResampler } from '../sound/resampler.js';
import { joined, type Sound } from '../sound/sound.js';
import { type Gain, levelled, type Signal, startGain } from './gain.js';
import { type Edge, edgeOf, silentEdge, smoothEnd, smoothStart } from './seams.js';

/** Sound in a row without silence, at one sample rate. */
interface Run {
  resampler: Resampler;
  sampleRate: number;
  /** Samples of the output before the run. */
  start: number;
  /** Samples of the input so far. */
  taken: number;
}

/** A time in the output, in samples. */
export interface SampleRange {
  start: number;
  length: number;
}

/** Turns sounds and silences to one signal at the sample rate of the output. */
export class Track {
  readonly #sampleRate: number;
  readonly #output: Signal;
  readonly #dressing: Dressing;
  #gain: Gain;
  /** The loudness of the current sound in LUFS of one channel; undefined for the loudness of the dressing. */
  #level: number | undefined;
  readonly #signal: AbortSignal | undefined;
  #run: Run | undefined;
  /** Samples of the output, including those inside the filters. */
  #position = 0;
  /** Samples that have left the resampler. */
  #resampled = 0;
  /** The end of the sound before the next one. */
  #before: Edge = silentEdge;

  constructor(output: Signal, dressing: Dressing, signal?: AbortSignal) {
    this.#sampleRate = output.sampleRate;
    this.#output = output;
    this.#dressing = dressing;
    this.#gain = startGain(dressing, output);
    this.#signal = signal;
  }

  /** Samples of the output so far, including those inside the filters. */
  get position(): number {
    return this.#position;
  }

  /**
   * Adds a sound, and silence of `pause` samples after it. Without `pause`, the next sound follows at once, and the output of
   * the last milliseconds comes with it.
   * @param level LUFS of one channel; undefined for the loudness of the dressing
   */
  async add(
    { samples, sampleRate }: Sound,
    pause: number | undefined,
    level?: number,
  ): Promise<{ output: Float32Array; place: SampleRange }> {
    const isOther = this.#run !== undefined && this.#run.sampleRate !== sampleRate;
    const before = isOther || level !== this.#level ? this.end(0) : [];
    this.#setLevel(level);
    const run = (this.#run ??= await this.#startRun(sampleRate));
    const smooth = smoothStart(samples, this.#before, sampleRate, this.#sampleRate);
    const input = pause === undefined ? smooth : smoothEnd(smooth, sampleRate, this.#sampleRate);
    const place = this.#take(run, input);
    const resampled = await run.resampler.push(input, this.#signal);
    const whole = pause === undefined ? resampled : joined([resampled, this.#endRun(pause)]);
    const around = { position: this.#resampled, pause: pause ?? 0 };
    const output = await this.#gain.push(whole, around, this.#signal);
    this.#resampled += whole.length;
    const after = pause === undefined ? [] : this.end(pause);
    return { output: joined([...before, output, ...after]), place };
  }

  #setLevel(level: number | undefined): void {
    if (level === this.#level) return;
    this.#level = level;
    const own = level === undefined ? {} : levelled(level, this.#output);
    this.#gain = startGain({ ...this.#dressing, ...own }, this.#output);
  }

  /** Adds samples of the output rate that are in the output already. */
  skip(length: number): SampleRange {
    const place = { start: this.#position, length };
    this.#position += length;
    this.#resampled = this.#position;
    return place;
  }

  /** Ends the current sound and adds silence, in samples of the output. */
  end(pause: number): Float32Array[] {
    const tail = this.#endRun(pause);
    this.#resampled += tail.length;
    const ending = this.#gain.end(tail, { position: this.#resampled, pause });
    if (pause > 0) this.#before = silentEdge;
    this.skip(pause);
    return [ending, new Float32Array(pause)];
  }

  /** Frees the memory of the filters. */
  free(): void {
    this.#run?.resampler.free();
    this.#run = undefined;
  }

  #endRun(pause: number): Float32Array {
    const rest = this.#run?.resampler.end(pause > 0 ? 0 : undefined) ?? new Float32Array();
    this.#run = undefined;
    return rest;
  }

  async #startRun(sampleRate: number): Promise<Run> {
    const resampler = await startResampler(sampleRate, this.#sampleRate, this.#before.value);
    return { resampler, sampleRate, start: this.#position, taken: 0 };
  }

  #take(run: Run, samples: Float32Array): SampleRange {
    run.taken += samples.length;
    this.#before = edgeOf(samples);
    const start = this.#position;
    this.#position = run.start + Math.round((run.taken * this.#sampleRate) / run.sampleRate);
    return { start, length: this.#position - start };
  }
}
