import { type OtherChunks, parseWav, type WavFormat, wavHeader } from '@herald-speech/client/audio';

/** The sample format of all engines: 16 bits, one channel. */
export const speechFormat = (sampleRate: number): WavFormat => ({
  encoding: 'pcm',
  channels: 1,
  bitsPerSample: 16,
  sampleRate,
});

/**
 * Creates the header of a mono 16-bit WAV.
 * @param bytes length of the samples in bytes; omit it for a stream
 */
export function speechHeader(sampleRate: number, bytes?: number, others?: OtherChunks): Uint8Array {
  return wavHeader(speechFormat(sampleRate), bytes, others);
}

/** A sample encoding: its size in bytes, and a function that reads a sample as -1 to 1. */
interface SampleKind {
  bytes: number;
  read(data: DataView, at: number): number;
}

/** Sample encodings by name and bits. */
const kinds: Readonly<Record<string, SampleKind>> = {
  'pcm/8': { bytes: 1, read: (data, at) => data.getUint8(at) / 128 - 1 },
  'pcm/16': { bytes: 2, read: (data, at) => data.getInt16(at, true) / 2 ** 15 },
  'pcm/24': {
    bytes: 3,
    read: (data, at) => (data.getInt8(at + 2) * 2 ** 16 + data.getUint16(at, true)) / 2 ** 23,
  },
  'pcm/32': { bytes: 4, read: (data, at) => data.getInt32(at, true) / 2 ** 31 },
  'float/32': { bytes: 4, read: (data, at) => data.getFloat32(at, true) },
  'float/64': { bytes: 8, read: (data, at) => data.getFloat64(at, true) },
  'alaw/8': { bytes: 1, read: (data, at) => aLaw(data.getUint8(at)) },
  'mulaw/8': { bytes: 1, read: (data, at) => muLaw(data.getUint8(at)) },
};

/** Decodes A-law (ITU-T G.711): even bits inverted, 4 bits of mantissa, 3 bits of exponent. */
function aLaw(byte: number): number {
  const code = byte ^ 0x55;
  const exponent = (code >> 4) & 7;
  const mantissa = ((code & 15) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 256) << (exponent - 1);
  return ((code & 0x80) === 0 ? -magnitude : magnitude) / 2 ** 15;
}

/** Decodes mu-law (ITU-T G.711): all bits inverted, 4 bits of mantissa, 3 bits of exponent, a bias of 132. */
function muLaw(byte: number): number {
  const code = ~byte & 0xff;
  const magnitude = ((((code & 15) << 3) + 132) << ((code >> 4) & 7)) - 132;
  return ((code & 0x80) === 0 ? magnitude : -magnitude) / 2 ** 15;
}

/** Decoded audio, mixed to mono, -1 to 1. `sampleRate` is in hertz. */
export interface MonoAudio {
  samples: Float32Array;
  sampleRate: number;
}

/**
 * Decodes the start of a WAV that `inspectAudio` has accepted.
 * @param maxSeconds maximum length; ignores the rest of the file
 * @returns undefined if the sample encoding is not supported
 */
export function decodeWavStart(file: Uint8Array, maxSeconds: number): MonoAudio | undefined {
  const { format, data } = parseWav(file);
  const { encoding, bitsPerSample, channels, sampleRate } = format;
  const kind = kinds[`${encoding}/${bitsPerSample}`];
  if (kind === undefined) return undefined;
  const blocks = Math.min(Math.floor(data.length / (channels * kind.bytes)), maxSeconds * sampleRate);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return { samples: mix(view, kind, channels, blocks), sampleRate };
}

function mix(data: DataView, kind: SampleKind, channels: number, blocks: number): Float32Array {
  return Float32Array.from({ length: blocks }, (_, block) => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) {
      sum += kind.read(data, (block * channels + channel) * kind.bytes);
    }
    return Number.isFinite(sum) ? sum / channels : 0; // A float sample can be infinite or not a number.
  });
}
