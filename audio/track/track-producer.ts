import type { ParsedAudio, Signing, WavFormat } from '@herald-speech/client/audio';
import { chimeSound } from '../dressing/chime.js';
import type { Dressing } from '../dressing/dressing.js';
import { joinedBytes } from '../encoders/bytes.js';
import type { Encoder } from '../encoders/encoder.js';
import { decode } from '../sound/decode.js';
import { joined } from '../sound/sound.js';
import type { Produced, Producer } from './producer.js';
import { type SampleRange, Track } from './track.js';

/** The encoder of the output and its sample rate in hertz. */
interface Output {
  encoder: Encoder;
  sampleRate: number;
  /** The format whose samples are copied; undefined if all samples pass the track. */
  copied: WavFormat | undefined;
  signing: Signing | undefined;
}

/** Decodes the pieces, adds the dressing and encodes the result. */
export class TrackProducer implements Producer {
  readonly mime: string;
  readonly extension: string;
  readonly sampleRate: number;
  readonly channels: number;
  readonly encoding;
  readonly signing: Signing | undefined;
  readonly header: Encoder['header'];
  readonly trailer: Encoder['trailer'];
  readonly #encoder: Encoder;
  readonly #copied: WavFormat | undefined;
  readonly #track: Track;
  readonly #dressing: Dressing;
  readonly #signal: AbortSignal | undefined;

  constructor({ encoder, sampleRate, copied, signing }: Output, dressing: Dressing, signal?: AbortSignal) {
    ({ mime: this.mime, extension: this.extension } = encoder);
    ({ channels: this.channels, encoding: this.encoding } = encoder);
    this.sampleRate = sampleRate;
    this.signing = signing;
    this.header = (dataBytes) => encoder.header(dataBytes);
    this.trailer = (dataBytes) => encoder.trailer(dataBytes);
    this.#encoder = encoder;
    this.#copied = copied;
    this.#dressing = dressing;
    this.#signal = signal;
    const { channels, headroom } = encoder;
    this.#track = new Track({ sampleRate, channels, headroom }, dressing, signal);
  }

  async lead(): Promise<Uint8Array> {
    const { chime, silenceBefore } = this.#dressing;
    const before = await this.pause(silenceBefore);
    if (chime === undefined) return before;
    const sound = await chimeSound(chime, this.sampleRate, this.#signal);
    const { output } = await this.#track.add(sound, 0);
    return joinedBytes([before, await this.#encode(output)]);
  }

  async add(audio: ParsedAudio, pause: number | undefined, level?: number): Promise<Produced> {
    if (level === undefined && this.#canCopy(audio)) return this.#copy(audio.wav.data, audio.wav.seconds);
    const sound = await decode(audio, this.#signal);
    const silence = pause === undefined ? undefined : this.#samples(pause);
    const { output, place } = await this.#track.add(sound, silence, level);
    return this.#produced(await this.#encode(output), place);
  }

  async pause(seconds: number): Promise<Uint8Array> {
    return seconds > 0 ? this.#encode(joined(this.#track.end(this.#samples(seconds)))) : new Uint8Array();
  }

  async end(): Promise<Produced> {
    const start = this.#track.position;
    const data = await this.#encode(joined(this.#track.end(0)));
    return this.#produced(joinedBytes([data, this.#encoder.end()]), { start, length: 0 });
  }

  free(): void {
    this.#track.free();
    this.#encoder.free();
  }

  #canCopy(audio: ParsedAudio): audio is Extract<ParsedAudio, { format: 'wav' }> {
    return audio.format === 'wav' && this.#copied !== undefined && isSame(audio.wav.format, this.#copied);
  }

  async #copy(samples: Uint8Array, seconds: number): Promise<Produced> {
    const before = await this.#encode(joined(this.#track.end(0)));
    const place = this.#track.skip(Math.round(seconds * this.sampleRate));
    return this.#produced(before.length === 0 ? samples : joinedBytes([before, samples]), place);
  }

  async #encode(samples: Float32Array): Promise<Uint8Array> {
    return samples.length === 0 ? new Uint8Array() : this.#encoder.encode(samples, this.#signal);
  }

  #produced(data: Uint8Array, { start, length }: SampleRange): Produced {
    return { data, start: start / this.sampleRate, duration: length / this.sampleRate };
  }

  #samples(seconds: number): number {
    return Math.round(seconds * this.sampleRate);
  }
}

function isSame(one: WavFormat, other: WavFormat): boolean {
  return (
    one.encoding === other.encoding &&
    one.channels === other.channels &&
    one.sampleRate === other.sampleRate &&
    one.bitsPerSample === other.bitsPerSample
  );
}
