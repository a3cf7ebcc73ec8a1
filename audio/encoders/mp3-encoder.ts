import type { Gapless, Mp3Frame, Signing } from '@herald-speech/client/audio';
import { lazy } from '@herald-speech/client/interface';
import type * as Encoders from 'wasm-media-encoders';
import { inSlices } from '../sound/slices.js';
import { joinedBytes } from './bytes.js';
import type { Encoder } from './encoder.js';
import { ENCODER, ENCODER_DELAY, FrameCounter, frameFor, mp3Header } from './mp3-frames.js';

type Parameters = globalThis.Parameters<Mp3Codec['configure']>[0];

/** A constant bit rate. */
interface Mp3Settings {
  /** Hertz. */
  sampleRate: number;
  /** Kilobits per second. */
  bitrate: number;
  channels: 1 | 2;
  /** The mark of synthetic speech. Default: no mark. */
  signing?: Signing | undefined;
}

/** LAME makes the sound quieter, by a factor for each bit rate (`abr_switch_map` in its `presets.c`). */
function scaleAt(bitrate: number): number {
  if (bitrate <= 160) return 0.95;
  if (bitrate <= 192) return 0.97;
  return bitrate <= 224 ? 0.98 : 1;
}

/** Hertz: the lowest sample rate of MPEG-1. */
const MPEG_1 = 32_000;

/**
 * Returns by how many dB the decoded audio may exceed the samples: the noise of the encoder, and the low-pass filter at low bit rates.
 * Measured with all voices of the local service at -14 and -16 LUFS (docs/decisions/0163-headroom-of-encoders.md).
 */
function headroomAt({ sampleRate, bitrate }: Mp3Settings): number {
  const bitsPerSample = (bitrate * 1000) / sampleRate;
  if (bitsPerSample < 1.2) return 2.5;
  if (bitsPerSample < 2) return 2;
  if (sampleRate >= MPEG_1) return 0.7;
  return bitsPerSample < 5 ? 1.6 : 0.8;
}

/** Encodes MP3. The result is as loud as the samples. */
export class Mp3Encoder implements Encoder {
  readonly mime = 'audio/mpeg';
  readonly extension = 'mp3';
  readonly encoding = 'mp3';
  readonly channels: 1 | 2;
  readonly headroom: number;
  readonly #codec: Mp3Codec;
  readonly #first: Mp3Frame;
  readonly #frames = new FrameCounter();
  readonly #gain: number;
  readonly #signing: Signing | undefined;
  #samples = 0;
  #busy = true;

  static async start(settings: Mp3Settings): Promise<Mp3Encoder> {
    const first = frameFor(settings.sampleRate, settings.bitrate, settings.channels);
    if (first === undefined)
      throw new RangeError(`no MP3 of ${settings.bitrate} kbit/s at ${settings.sampleRate} Hz`);
    return new Mp3Encoder(await takeMp3Codec(), settings, first);
  }

  private constructor(codec: Mp3Codec, settings: Mp3Settings, first: Mp3Frame) {
    const { sampleRate, bitrate, channels, signing } = settings;
    this.#codec = codec;
    this.#first = first;
    this.channels = channels;
    this.headroom = headroomAt(settings);
    this.#signing = signing;
    this.#gain = 1 / scaleAt(bitrate);
    // The types of the package list common rates. `frameFor` has checked that the frame exists.
    const rates = { bitrate, outputSampleRate: sampleRate } as Pick<
      Parameters,
      'bitrate' | 'outputSampleRate'
    >;
    codec.configure({ channels, sampleRate, ...rates });
  }

  async encode(samples: Float32Array, signal?: AbortSignal): Promise<Uint8Array> {
    this.#samples += samples.length;
    const encode = (slice: Float32Array) => {
      const louder = slice.map((sample) => sample * this.#gain);
      return Buffer.from(this.#codec.encode(this.channels === 1 ? [louder] : [louder, louder]));
    };
    return this.#counted(joinedBytes(await inSlices(samples, encode, signal)));
  }

  count(data: Uint8Array): void {
    this.#frames.count(data);
  }

  end(): Uint8Array {
    const rest = this.#counted(Buffer.from(this.#codec.finalize()));
    this.#busy = false;
    returnMp3Codec(this.#codec);
    return rest;
  }

  /** The silence that the encoder has added, after the end. */
  get gapless(): Gapless {
    const added = this.#frames.frames * this.#first.samples - this.#samples;
    return { encoder: ENCODER, delay: ENCODER_DELAY, padding: Math.max(0, added - ENCODER_DELAY) };
  }

  header(dataBytes: number | undefined): Uint8Array {
    const gapless = dataBytes === undefined ? { ...this.gapless, padding: ENCODER_DELAY } : this.gapless;
    const totals = { first: this.#first, constantBitrate: true, gapless, signing: this.#signing };
    return mp3Header(totals, this.#frames, dataBytes);
  }

  trailer(): Uint8Array {
    return new Uint8Array();
  }

  free(): void {
    if (this.#busy) this.end();
  }

  #counted(data: Uint8Array): Uint8Array {
    this.count(data);
    return data;
  }
}

/** An encoder that can be configured again after `finalize`. */
type Mp3Codec = Encoders.WasmMediaEncoder<'audio/mpeg'>;

/** Encoders without work. Compiling an encoder takes 100 ms, but each needs some megabytes. */
const idle: Mp3Codec[] = [];
const MAX_IDLE = 1;

/** Loads the package with the first use. */
const encoders = lazy((): typeof Encoders => require('wasm-media-encoders'));

/** Returns an encoder for one stream at a time. */
async function takeMp3Codec(): Promise<Mp3Codec> {
  return idle.pop() ?? encoders().createMp3Encoder();
}

/** Keeps an encoder for the next stream. `configure` resets it. */
function returnMp3Codec(codec: Mp3Codec): void {
  if (idle.length < MAX_IDLE) idle.push(codec);
}
