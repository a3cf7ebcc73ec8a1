import type { WavFormat } from '@herald-speech/client/audio';
import { encodeWavSamples } from '../sound/wav-samples.js';
import { joinedBytes } from './bytes.js';
import type { Encoder } from './encoder.js';
import { rawExtension } from '../format/extension.js';
import { type WavFile, wavFrame } from './wav-header.js';
import { inSlices } from '../sound/slices.js';

/** Media types of raw audio (RFC 3551 and RFC 4856). `audio/L16` is big-endian, so PCM has no registered type. */
const rawMimes = { mulaw: 'audio/basic', alaw: 'audio/x-alaw-basic' } as const;

function rawMime({ encoding, sampleRate }: WavFormat): string {
  if (encoding === 'mulaw' && sampleRate === 8000) return rawMimes.mulaw;
  return encoding === 'alaw' && sampleRate === 8000 ? rawMimes.alaw : 'application/octet-stream';
}

/** dB: rounding to 16 bits, and peaks between the points of a meter. */
const HEADROOM = 0.1;
/** dB: the steps of mu-law and A-law at full scale are 1/32 wide (ITU-T G.711). */
const HEADROOM_OF_LAWS = 0.4;

/** Encodes WAV, or the same samples without a header. */
export class WavEncoder implements Encoder {
  readonly mime: string;
  readonly extension: string;
  readonly encoding;
  readonly channels: number;
  readonly headroom: number;
  readonly header: Encoder['header'];
  readonly trailer: Encoder['trailer'];
  readonly #format: WavFormat;

  /** @param raw whether the output has no header */
  constructor(format: WavFormat, raw: boolean, file: WavFile) {
    this.#format = format;
    this.encoding = format.encoding;
    this.channels = format.channels;
    this.headroom = ['mulaw', 'alaw'].includes(format.encoding) ? HEADROOM_OF_LAWS : HEADROOM;
    this.mime = raw ? rawMime(format) : 'audio/wav';
    this.extension = raw ? rawExtension(format) : 'wav';
    const { header, trailer } = wavFrame(format, file);
    this.header = (bytes) => (raw ? new Uint8Array() : header(bytes));
    this.trailer = (bytes) => (raw ? new Uint8Array() : trailer(bytes));
  }

  async encode(samples: Float32Array, signal?: AbortSignal): Promise<Uint8Array> {
    return joinedBytes(await inSlices(samples, (slice) => encodeWavSamples(slice, this.#format), signal));
  }

  count(): void {}

  end(): Uint8Array {
    return new Uint8Array();
  }

  free(): void {}
}
