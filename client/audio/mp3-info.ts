import { AudioError } from '../base/audio-error.js';
import { ascii, fromAscii, uint32, viewOf } from './bytes.js';
import { bitrateIndex, frameOf, MAX_BITRATE_INDEX, type Frame } from './mp3-frame.js';

/** Padding samples that the encoder added and that players skip. */
export interface Gapless {
  /** The encoder's name, nine characters. Players ignore the numbers if they do not know the name. */
  encoder: string;
  /** Samples added at the start, without the 529 samples of decoder delay. */
  delay: number;
  /** Samples added at the end. */
  padding: number;
}

/** Returns the delay of the first and the padding of the last file for a joined file. Returns undefined if one is unknown. */
export function outerGapless(first: Gapless | undefined, last: Gapless | undefined): Gapless | undefined {
  return first && last && { ...first, padding: last.padding };
}

/** The content of an info frame: a silent first frame that describes the rest of the file. */
export interface Info {
  /** Number of frames that follow. 0 if unknown, as in files written as a stream. */
  frames: number;
  gapless?: Gapless;
}

/** Byte offsets in a Xing or Info tag with all four optional fields, counted from its name. */
const layout = {
  flags: 4,
  frames: 8,
  bytes: 12,
  toc: 16,
  encoder: 120,
  gap: 141,
  samples: 148,
  crc: 154,
  size: 156,
};

const TOC_ENTRIES = 100;

/** Offset of Fraunhofer's tag in the frame, and of the frame count in that tag. */
const VBRI = { at: 36, frames: 14 };

/** Encoders that store delay and padding at the same offset as LAME. */
const gaplessEncoders = ['LAME', 'Lavf', 'Lavc'];

/** Reads the info tag of `frame`, which lies completely at offset `at`. Returns undefined for an ordinary frame. */
export function readInfo(bytes: Uint8Array, at: number, { length, sideInfo }: Frame): Info | undefined {
  const frame = bytes.subarray(at, at + length);
  if (ascii(frame, VBRI.at, 4) === 'VBRI') return { frames: uint32(frame, VBRI.at + VBRI.frames) };
  // Some encoders place the tag after the checksum of a protected frame; most ignore the checksum.
  for (const start of [4 + sideInfo, 6 + sideInfo]) {
    const name = ascii(frame, start, 4);
    if (name === 'Xing' || name === 'Info') return readXing(frame.subarray(start));
  }
  return undefined;
}

/** Reads a Xing tag. A flag announces each of the four optional fields; the LAME extension follows the last field present. */
function readXing(tag: Uint8Array): Info {
  const flags = uint32(tag, layout.flags);
  const frames = flags & 1 ? uint32(tag, layout.frames) : 0;
  const fields =
    (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0) + (flags & 4 ? TOC_ENTRIES : 0) + (flags & 8 ? 4 : 0);
  const gapless = readGapless(tag.subarray(layout.frames + fields));
  return { frames, ...(gapless && { gapless }) };
}

function readGapless(extension: Uint8Array): Gapless | undefined {
  const encoder = ascii(extension, 0, 9);
  if (!gaplessEncoders.includes(encoder.slice(0, 4))) return undefined;
  const both = uint32(extension, layout.gap - layout.encoder) >>> 8;
  return { encoder, delay: both >>> 12, padding: both & 0xfff };
}

/** The data for a new info frame. */
interface Contents {
  first: Frame;
  /** Number of frames, 0 if not known yet. */
  frames: number;
  /** True if all frames have the bit rate of the first frame. */
  constantBitrate: boolean;
  gapless: Gapless | undefined;
  /** Length of all frames in bytes. */
  bytes: number;
  /** The length of each frame in bytes, in order. */
  lengths: Iterable<number>;
}

/**
 * Creates the info frame that precedes the audio frames. It contains the number of frames and bytes, a seek table and, if
 * known, delay and padding. Its name is `Info` for a constant bit rate and `Xing` for a variable one.
 * A decoder without support for info frames plays it as a frame of silence.
 * @throws AudioError `unsupported` if no frame of the stream is large enough
 */
export function infoFrame(contents: Contents): Uint8Array {
  const host = hostFrame(contents);
  const frame = new Uint8Array(host.length);
  const total = host.length + contents.bytes;
  const tag = frame.subarray(4 + host.sideInfo, 4 + host.sideInfo + layout.size);
  const view = viewOf(tag);
  viewOf(frame).setUint32(0, host.word);
  tag.set(fromAscii(contents.constantBitrate ? 'Info' : 'Xing'));
  view.setUint32(layout.flags, 0b1111);
  view.setUint32(layout.frames, contents.frames);
  view.setUint32(layout.bytes, total);
  tag.set(seekTable(contents, host.length, total), layout.toc);
  if (contents.gapless) {
    writeGapless(tag, contents, contents.gapless);
    view.setUint16(layout.crc, crc16(frame.subarray(0, 4 + host.sideInfo + layout.crc)));
  }
  return frame;
}

function writeGapless(
  tag: Uint8Array,
  { first, frames }: Contents,
  { encoder, delay, padding }: Gapless,
): void {
  const view = viewOf(tag);
  tag.set(fromAscii(encoder), layout.encoder);
  // The field has three bytes. The write starts one byte earlier, and that byte stays 0.
  view.setUint32(layout.gap - 1, (delay << 12) | padding);
  view.setUint32(layout.samples, Math.max(0, frames * first.samples - delay - padding));
}

/** Returns the CRC-16 of the tag (polynomial 0x8005, bits reversed, initial value 0). Some players verify it. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  return crc;
}

/** Returns the smallest frame header of the same stream with room for the tag, at least at a constant bit rate. */
function hostFrame({ first, constantBitrate }: Contents): Frame {
  for (let index = constantBitrate ? bitrateIndex(first.word) : 1; index <= MAX_BITRATE_INDEX; index++) {
    const host = frameOf(withBitrate(first.word, index));
    if (host && host.length >= 4 + host.sideInfo + layout.size) return host;
  }
  throw new AudioError(
    'unsupported',
    `MP3 at ${first.sampleRate} Hz: no frame is large enough for an info tag`,
  );
}

/** Returns the header with another bit rate, without padding and checksum. */
function withBitrate(word: number, index: number): number {
  return ((word & ~0xf200) | (index << 12) | 0x10000) >>> 0;
}

/** Returns the seek table: entry i is the position of the frame at i percent of the time, in 1/256 of the file. */
function seekTable({ frames, lengths }: Contents, start: number, total: number): Uint8Array {
  const table = new Uint8Array(TOC_ENTRIES);
  let [position, frame, entry] = [start, 0, 0];
  for (const length of lengths) {
    frame += 1;
    for (; entry < TOC_ENTRIES && entry * frames < frame * TOC_ENTRIES; entry++) {
      table[entry] = Math.floor((256 * position) / total);
    }
    position += length;
  }
  return table;
}
