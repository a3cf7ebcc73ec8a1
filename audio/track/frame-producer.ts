import type { Gapless, Mp3, ParsedAudio, Signing } from '@herald-speech/client/audio';
import { noDressing } from '../dressing/dressing.js';
import { bitrateFor } from '../encoders/bitrate.js';
import { joinedBytes } from '../encoders/bytes.js';
import { Mp3Encoder } from '../encoders/mp3-encoder.js';
import { FrameCounter, mp3Header } from '../encoders/mp3-frames.js';
import { decode } from '../sound/decode.js';
import { startResampler } from '../sound/resampler.js';
import { joined } from '../sound/sound.js';
import { levelled, startGain } from './gain.js';
import type { Produced, Producer } from './producer.js';

/** Copies the frames of MP3 files. Encodes pieces of other formats as the first piece. */
export class FrameProducer implements Producer {
  readonly mime = 'audio/mpeg';
  readonly extension = 'mp3';
  readonly encoding = 'mp3';
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  readonly signing: Signing | undefined;
  readonly #model: Mp3;
  readonly #signal: AbortSignal | undefined;
  readonly #counter = new FrameCounter();
  #last: Gapless | undefined;

  /** @param signing the mark of synthetic speech */
  constructor(model: Mp3, signing: Signing | undefined, signal?: AbortSignal) {
    ({ sampleRate: this.sampleRate, channels: this.channels } = model.first);
    this.#model = model;
    this.signing = signing;
    this.#signal = signal;
  }

  async lead(): Promise<Uint8Array> {
    return new Uint8Array();
  }

  async add(audio: ParsedAudio, _pause: undefined | number, level?: number): Promise<Produced> {
    if (level === undefined && audio.format === 'mp3' && this.#fits(audio.mp3)) {
      const { sound, gapless, seconds } = audio.mp3;
      return this.#added(joinedBytes(sound), gapless, seconds);
    }
    const { samples, sampleRate } = await decode(audio, this.#signal);
    const { sampleRate: to, channels } = this;
    const encoder = await Mp3Encoder.start({ sampleRate: to, channels, bitrate: bitrateFor(this.#model) });
    const resampler = await startResampler(sampleRate, to);
    try {
      const start = await resampler.push(samples, this.#signal);
      const output = await this.#levelled(joined([start, resampler.end()]), encoder.headroom, level);
      const data = joinedBytes([await encoder.encode(output, this.#signal), encoder.end()]);
      return this.#added(data, encoder.gapless, output.length / this.sampleRate);
    } finally {
      resampler.free();
      encoder.free();
    }
  }

  async #levelled(samples: Float32Array, headroom: number, level: number | undefined): Promise<Float32Array> {
    if (level === undefined) return samples;
    const signal = { sampleRate: this.sampleRate, channels: this.channels, headroom };
    const gain = startGain({ ...noDressing, ...levelled(level, signal) }, signal);
    const louder = await gain.push(samples, { position: 0, pause: 0 }, this.#signal);
    return joined([louder, gain.end(new Float32Array(), { position: samples.length, pause: 0 })]);
  }

  async pause(): Promise<Uint8Array> {
    return new Uint8Array();
  }

  async end(): Promise<Produced> {
    return { data: new Uint8Array(), start: this.#seconds(this.#model.gapless?.delay ?? 0), duration: 0 };
  }

  header(dataBytes: number | undefined): Uint8Array {
    const { first, constantBitrate } = this.#model;
    const totals = { first, constantBitrate, gapless: this.#gapless(), signing: this.signing };
    return mp3Header(totals, this.#counter, dataBytes);
  }

  trailer(): Uint8Array {
    return new Uint8Array();
  }

  free(): void {}

  #fits({ first }: Mp3): boolean {
    return first.sampleRate === this.sampleRate && first.channels === this.channels;
  }

  /** A player skips the delay of the first piece, and plays the delays of the others. */
  #added(data: Uint8Array, gapless: Gapless | undefined, duration: number): Produced {
    const skipped = (this.#model.gapless?.delay ?? 0) - (gapless?.delay ?? 0);
    const start = this.#seconds(this.#counter.frames === 0 ? 0 : skipped);
    this.#counter.count(data);
    this.#last = gapless;
    return { data, start, duration };
  }

  /** Returns the time of the next frame, earlier by the given samples. */
  #seconds(skipped: number): number {
    return Math.max(0, this.#counter.frames * this.#model.first.samples - skipped) / this.sampleRate;
  }

  /** The delay of the first and the padding of the last piece. */
  #gapless(): Gapless | undefined {
    const { gapless } = this.#model;
    return gapless && this.#last && { ...gapless, padding: this.#last.padding };
  }
}
