/** Size fields of a WAV whose length is not known yet. */
const UNKNOWN_SIZE = 0xffff_ffff;

/**
 * The header of a mono 16-bit WAV.
 * @param bytes Length of the samples; left out while they are still being made.
 */
export function wavHeader(sampleRate: number, bytes?: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(bytes === undefined ? UNKNOWN_SIZE : 36 + bytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // PCM
  header.writeUInt16LE(1, 22); // channels
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(bytes ?? UNKNOWN_SIZE, 40);
  return header;
}

/** One sample of a WAV: how many bytes it takes and how they read, -1 to 1. */
interface SampleKind {
  bytes: number;
  read(data: DataView, at: number): number;
}

const PCM = 1;
const FLOAT = 3;
const A_LAW = 6;
const MU_LAW = 7;
const EXTENSIBLE = 0xfffe;

/** Sample kinds by format tag and bits. */
const kinds: Readonly<Record<string, SampleKind>> = {
  [`${PCM}/8`]: { bytes: 1, read: (data, at) => data.getUint8(at) / 128 - 1 },
  [`${PCM}/16`]: { bytes: 2, read: (data, at) => data.getInt16(at, true) / 2 ** 15 },
  [`${PCM}/24`]: {
    bytes: 3,
    read: (data, at) => (data.getInt8(at + 2) * 2 ** 16 + data.getUint16(at, true)) / 2 ** 23,
  },
  [`${PCM}/32`]: { bytes: 4, read: (data, at) => data.getInt32(at, true) / 2 ** 31 },
  [`${FLOAT}/32`]: { bytes: 4, read: (data, at) => data.getFloat32(at, true) },
  [`${FLOAT}/64`]: { bytes: 8, read: (data, at) => data.getFloat64(at, true) },
  [`${A_LAW}/8`]: { bytes: 1, read: (data, at) => aLaw(data.getUint8(at)) },
  [`${MU_LAW}/8`]: { bytes: 1, read: (data, at) => muLaw(data.getUint8(at)) },
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
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const format = findChunk(view, 'fmt ');
  const data = findChunk(view, 'data');
  if (format === undefined || data === undefined || format.byteLength < 16) return undefined;
  const kind = kinds[`${formatTag(format)}/${format.getUint16(14, true)}`];
  if (kind === undefined) return undefined;
  const channels = format.getUint16(2, true);
  const sampleRate = format.getUint32(4, true);
  const blocks = Math.floor(data.byteLength / (channels * kind.bytes));
  return { samples: mix(data, kind, channels, Math.min(blocks, maxSeconds * sampleRate)), sampleRate };
}

/** An extensible header has the real tag at the start of its sub format. */
function formatTag(format: DataView): number {
  const tag = format.getUint16(0, true);
  return tag === EXTENSIBLE && format.byteLength >= 26 ? format.getUint16(24, true) : tag;
}

function findChunk(view: DataView, name: string): DataView | undefined {
  for (let at = 12; at + 8 <= view.byteLength;) {
    const size = Math.min(view.getUint32(at + 4, true), view.byteLength - at - 8);
    const isIt = Buffer.from(view.buffer, view.byteOffset + at, 4).toString('latin1') === name;
    // A data size of 0 stands for "to the end" where the writer could not go back.
    if (isIt) return new DataView(view.buffer, view.byteOffset + at + 8, size || view.byteLength - at - 8);
    at += 8 + size + (size % 2);
  }
  return undefined;
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
