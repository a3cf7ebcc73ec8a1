import { parseWav, wavHeader } from '@herald-speech/client/audio';

/** What the engines make: 16 bits, one channel. */
const speechFormat = { encoding: 'pcm', channels: 1, bitsPerSample: 16 } as const;

/**
 * The header of a mono 16-bit WAV.
 * @param bytes Length of the samples; left out while they are still being made.
 */
export function speechHeader(sampleRate: number, bytes?: number): Uint8Array {
  return wavHeader({ ...speechFormat, sampleRate }, bytes);
}

/** One sample of a WAV: how many bytes it takes and how they read, -1 to 1. */
interface SampleKind {
  bytes: number;
  read(data: DataView, at: number): number;
}

/** Sample kinds by encoding and bits. */
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

/** ITU-T G.711, A-law: even bits are inverted, 4 bits of mantissa, 3 of exponent. */
function aLaw(byte: number): number {
  const code = byte ^ 0x55;
  const exponent = (code >> 4) & 7;
  const mantissa = ((code & 15) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 256) << (exponent - 1);
  return ((code & 0x80) === 0 ? -magnitude : magnitude) / 2 ** 15;
}

/** ITU-T G.711, mu-law: all bits are inverted, 4 bits of mantissa, 3 of exponent, a bias of 132. */
function muLaw(byte: number): number {
  const code = ~byte & 0xff;
  const magnitude = ((((code & 15) << 3) + 132) << ((code >> 4) & 7)) - 132;
  return ((code & 0x80) === 0 ? magnitude : -magnitude) / 2 ** 15;
}

/** Decoded sound, mixed to mono, -1 to 1. */
export interface Sound {
  samples: Float32Array;
  sampleRate: number;
}

/**
 * Decodes the start of a WAV that `inspectAudio` found whole.
 * @param maxSeconds What is longer is left out.
 * @returns undefined for a kind of sample that is not read here
 */
export function decodeWav(file: Uint8Array, maxSeconds: number): Sound | undefined {
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
    return sum / channels;
  });
}
