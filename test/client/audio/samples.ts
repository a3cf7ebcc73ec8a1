import * as fc from 'fast-check';
import { createMp3Encoder } from 'wasm-media-encoders';
import { AudioError, type AudioErrorKind } from '../../../client/base/audio-error.js';

/** One chunk of a WAV, valid or not. */
export interface RawChunk {
  id: string;
  body: Uint8Array;
  /** The size to declare instead of the correct one. */
  size?: number;
  /** True to omit the pad byte. */
  unpadded?: boolean;
}

/** Builds a WAV from chunks. They need not be valid. */
export function rawWav(chunks: readonly RawChunk[], riffSize?: number): Uint8Array {
  const body = Buffer.concat(chunks.map(rawChunk));
  const head = Buffer.from('RIFF\0\0\0\0WAVE', 'latin1');
  head.writeUInt32LE(riffSize ?? body.length + 4, 4);
  return Uint8Array.from(Buffer.concat([head, body]));
}

function rawChunk({ id, body, size = body.length, unpadded = false }: RawChunk): Buffer {
  const head = Buffer.from(`${id}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(size, 4);
  return Buffer.concat([head, body, Buffer.alloc(unpadded ? 0 : body.length % 2)]);
}

export interface RawFormat {
  tag: number;
  channels: number;
  sampleRate: number;
  bits: number;
  size: 16 | 18 | 40;
}

/** The subformat GUID of WAVE_FORMAT_EXTENSIBLE without its first two bytes. */
const SUB_FORMAT = Buffer.from('000000001000800000aa00389b71', 'hex');

/** Builds the body of a `fmt ` chunk. 40 bytes mean WAVE_FORMAT_EXTENSIBLE. */
export function rawFormat({ tag, channels, sampleRate, bits, size }: RawFormat): Uint8Array {
  const body = Buffer.alloc(size);
  const align = (channels * bits) / 8;
  body.writeUInt16LE(size === 40 ? 0xfffe : tag, 0);
  body.writeUInt16LE(channels, 2);
  body.writeUInt32LE(sampleRate, 4);
  body.writeUInt32LE(sampleRate * align, 8);
  body.writeUInt16LE(align, 12);
  body.writeUInt16LE(bits, 14);
  if (size === 40) {
    body.writeUInt16LE(22, 16);
    body.writeUInt16LE(bits, 18);
    body.writeUInt16LE(tag, 24);
    SUB_FORMAT.copy(body, 26);
  }
  return Uint8Array.from(body);
}

/** Chunks before or after the data, of odd and even sizes. */
export const extraChunks = fc.array(
  fc.record({
    id: fc.constantFrom('LIST', 'JUNK', 'bext', 'id3 ', 'fact', 'xyz '),
    body: fc.uint8Array({ maxLength: 21 }),
  }),
  { maxLength: 3 },
);

export interface Encoding {
  sampleRate: 8000 | 11025 | 16000 | 22050 | 24000 | 44100;
  channels: 1 | 2;
  /** Kilobits per second; undefined for a variable bit rate. */
  bitrate?: 16 | 32 | 64;
}

/** MPEG 1, 2 and 2.5, mono and stereo, constant and variable bit rate. */
export const encodings: readonly Encoding[] = [
  { sampleRate: 44100, channels: 1, bitrate: 64 },
  { sampleRate: 44100, channels: 2 },
  { sampleRate: 24000, channels: 1 },
  { sampleRate: 22050, channels: 2, bitrate: 64 },
  { sampleRate: 16000, channels: 1, bitrate: 32 },
  { sampleRate: 11025, channels: 2 },
  { sampleRate: 8000, channels: 1, bitrate: 16 },
];

/** Returns a test title such as "MP3 44100 Hz mono, constant bit rate". */
export function encodingName({ sampleRate, channels, bitrate }: Encoding): string {
  return `MP3 of ${sampleRate} Hz ${channels === 1 ? 'mono' : 'stereo'}, ${bitrate ? 'constant' : 'variable'} bit rate`;
}

/** Encodes a falling tone as MP3 without tags and info frame. */
export async function encodeMp3(
  { sampleRate, channels, bitrate }: Encoding,
  seconds: number,
): Promise<Uint8Array> {
  const encoder = await createMp3Encoder();
  const rate = bitrate ? { bitrate } : { vbrQuality: 4 };
  encoder.configure({ sampleRate, outputSampleRate: sampleRate, channels, ...rate });
  const tone = Float32Array.from(
    { length: sampleRate * seconds },
    (_, i) => 0.4 * Math.sin(900 * Math.log(i + 99)),
  );
  // The encoder reuses the returned memory.
  const sound = Buffer.from(encoder.encode(channels === 1 ? [tone] : [tone, tone]));
  return Uint8Array.from(Buffer.concat([sound, encoder.finalize()]));
}

/** An ID3v2.4 tag with `size` bytes of text that resemble the start of a frame. */
export function id3v2(size: number, footer = false): Uint8Array {
  const head = Buffer.from([0x49, 0x44, 0x33, 4, 0, footer ? 0x10 : 0, 0, 0, size >> 7, size & 127]);
  const body = Buffer.alloc(size, Buffer.from([0xff, 0xfb, 0x90, 0x64]));
  return Buffer.concat([head, body, Buffer.alloc(footer ? 10 : 0, '3DI')]);
}

/** An ID3v1 tag. */
export function id3v1(): Uint8Array {
  return Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 'title')]);
}

/** An APEv2 tag: header, `size` bytes of items, footer. */
export function apeV2(size: number): Uint8Array {
  const end = Buffer.alloc(32);
  end.write('APETAGEX', 'latin1');
  end.writeUInt32LE(2000, 8);
  end.writeUInt32LE(size + 32, 12);
  return Buffer.concat([end, Buffer.alloc(size, 0xff), end]);
}

/** Concatenates bytes. */
export function bytes(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

/** Returns the kind of AudioError that `run` throws, or undefined if it throws none. Rethrows any other error. */
export function kindOf(run: () => unknown): AudioErrorKind | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof AudioError) return error.kind;
    throw error;
  }
}
