import { AudioError, blockAlign, type Wav, type WavFormat } from '@herald-speech/client/audio';
import { lazy } from '@herald-speech/client/interface';
import type * as Codecs from 'alawmulaw';
import type { Sound } from './sound.js';

type Read = (view: DataView, at: number) => number;
type Write = (view: DataView, at: number, value: number) => void;

interface SampleFormat {
  read: Read;
  write: Write;
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

const signed = (bits: 16 | 24 | 32): { scale: number; integer: (value: number) => number } => {
  const scale = 2 ** (bits - 1);
  return { scale, integer: (value) => clamp(Math.round(value * scale), -scale, scale - 1) };
};

const [bits16, bits24, bits32] = [signed(16), signed(24), signed(32)];

const pcm: Readonly<Record<number, SampleFormat>> = {
  1: {
    read: (view, at) => (view.getUint8(at) - 128) / 128,
    write: (view, at, value) => view.setUint8(at, clamp(Math.round(value * 128) + 128, 0, 255)),
  },
  2: {
    read: (view, at) => view.getInt16(at, true) / bits16.scale,
    write: (view, at, value) => view.setInt16(at, bits16.integer(value), true),
  },
  3: {
    read: (view, at) => (view.getInt8(at + 2) * 65_536 + view.getUint16(at, true)) / bits24.scale,
    write: (view, at, value) => {
      const whole = bits24.integer(value);
      view.setUint16(at, whole & 0xffff, true);
      view.setInt8(at + 2, whole >> 16);
    },
  },
  4: {
    read: (view, at) => view.getInt32(at, true) / bits32.scale,
    write: (view, at, value) => view.setInt32(at, bits32.integer(value), true),
  },
};

const float: Readonly<Record<number, SampleFormat>> = {
  4: {
    read: (view, at) => view.getFloat32(at, true),
    write: (view, at, value) => view.setFloat32(at, value, true),
  },
  8: {
    read: (view, at) => view.getFloat64(at, true),
    write: (view, at, value) => view.setFloat64(at, value, true),
  },
};

/**
 * Returns the samples of a WAV. Mixes several channels to one.
 * @throws AudioError `unsupported` for PCM of more than 32 bits
 */
export function decodeWav({ format, data }: Wav): Sound {
  const { encoding, channels, sampleRate } = format;
  const bytes = blockAlign(format) / channels;
  const law = encoding === 'mulaw' || encoding === 'alaw' ? encoding : undefined;
  const linear = law === undefined ? data : bytesOf(expand(data, law));
  const width = law === undefined ? bytes : 2;
  const { read } = sampleFormat(encoding === 'float' ? float : pcm, width);
  return { samples: mixed(linear, channels, width, read), sampleRate };
}

function mixed(data: Uint8Array, channels: number, width: number, read: Read): Float32Array {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const samples = new Float32Array(Math.floor(data.length / (width * channels)));
  for (let index = 0, at = 0; index < samples.length; index += 1) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1, at += width) sum += read(view, at);
    samples[index] = sum / channels;
  }
  return samples;
}

/** Encodes samples for a WAV. Repeats each sample for all channels, and clips values beyond full scale. */
export function encodeWavSamples(samples: Float32Array, format: WavFormat): Uint8Array {
  const { encoding, channels } = format;
  if (encoding === 'mulaw' || encoding === 'alaw') {
    const linear = written(samples, channels, 2, sampleFormat(pcm, 2).write);
    return compand(new Int16Array(linear.buffer, 0, linear.length / 2), encoding);
  }
  const width = blockAlign(format) / channels;
  return written(samples, channels, width, sampleFormat(encoding === 'float' ? float : pcm, width).write);
}

function written(samples: Float32Array, channels: number, width: number, write: Write): Uint8Array {
  const bytes = new Uint8Array(samples.length * channels * width);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const sample of samples) {
    for (let channel = 0; channel < channels; channel += 1, at += width) write(view, at, sample);
  }
  return bytes;
}

function sampleFormat(formats: Readonly<Record<number, SampleFormat>>, width: number): SampleFormat {
  const format = formats[width];
  if (format !== undefined) return format;
  throw new AudioError('unsupported', `WAV of ${width * 8} bits per sample: expected at most 32`);
}

function bytesOf(samples: Int16Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** Loads the codecs with the first use. */
const codecs = lazy((): typeof Codecs => require('alawmulaw'));

/** Compands signed samples of 16 bits (ITU-T G.711). */
function compand(samples: Int16Array, law: 'mulaw' | 'alaw'): Uint8Array {
  return codecs()[law].encode(samples);
}

/** Expands companded samples to signed samples of 16 bits (ITU-T G.711). */
function expand(bytes: Uint8Array, law: 'mulaw' | 'alaw'): Int16Array {
  return codecs()[law].decode(bytes);
}
