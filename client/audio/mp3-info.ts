import { AudioError } from './audio-error.js';
import { ascii, fromAscii, uint32, viewOf } from './bytes.js';
import { bitrateIndex, frameOf, MAX_BITRATE_INDEX, type Frame } from './mp3-frame.js';

/** Samples that the encoder added, to be left out in playing. */
export interface Gapless {
  /** Who encoded, nine characters: players trust the numbers only under a name that they know. */
  encoder: string;
  /** Samples added in front; the decoder's own 529 come on top of it. */
  delay: number;
  /** Samples added behind. */
  padding: number;
}

/** Delay of the first and padding of the last file, where both are known: what can be left out in playing them as one. */
export function outerGapless(first: Gapless | undefined, last: Gapless | undefined): Gapless | undefined {
  return first && last && { ...first, padding: last.padding };
}

/** What the silent first frame of a file tells about the rest. */
export interface Info {
  /** Frames that follow; 0 where it does not tell, as of a writer that could not go back. */
  frames: number;
  gapless?: Gapless;
}

/** Where things lie in a Xing or Info tag, from its name on, with all four optional fields there. */
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

/** Fraunhofer's tag lies at a fixed offset in the frame, its frame count at another in the tag. */
const VBRI = { at: 36, frames: 14 };

/** Encoders that write delay and padding at the place where LAME does. */
const gaplessEncoders = ['LAME', 'Lavf', 'Lavc'];

/** What `frame`, which lies whole at `at`, tells about the others; undefined where it is a frame of sound. */
export function readInfo(bytes: Uint8Array, at: number, { length, sideInfo }: Frame): Info | undefined {
  const frame = bytes.subarray(at, at + length);
  if (ascii(frame, VBRI.at, 4) === 'VBRI') return { frames: uint32(frame, VBRI.at + VBRI.frames) };
  // Some encoders count the checksum of a protected frame in, most do not.
  for (const start of [4 + sideInfo, 6 + sideInfo]) {
    const name = ascii(frame, start, 4);
    if (name === 'Xing' || name === 'Info') return readXing(frame.subarray(start));
  }
  return undefined;
}

/** The four fields are optional, each announced by a bit; what LAME adds comes behind those that are there. */
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

/** What an info frame is to say about the frames behind it. */
export interface Contents {
  first: Frame;
  /** 0 while they are still being made. */
  frames: number;
  /** All frames have the bit rate of the first one. */
  constantBitrate: boolean;
  gapless: Gapless | undefined;
  /** Bytes of sound. */
  bytes: number;
  /** Length in bytes of each frame, in order. */
  lengths: Iterable<number>;
}

/**
 * The frame to put in front of the sound: `Info` for a constant bit rate, `Xing` for a changing one, with the number of
 * frames, the number of bytes, a table for seeking and, where they are known, delay and padding.
 * A decoder that knows nothing of it plays one frame of silence.
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
  // Three bytes: the first of the four that are written here lies before them and stays 0.
  view.setUint32(layout.gap - 1, (delay << 12) | padding);
  view.setUint32(layout.samples, Math.max(0, frames * first.samples - delay - padding));
}

/** CRC-16 over all in front of it, with the polynomial 0x8005, bits reversed, from 0: what players that check the tag expect. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  return crc;
}

/** The smallest frame of the same stream that has room; at a constant bit rate not below that rate. */
function hostFrame({ first, constantBitrate }: Contents): Frame {
  for (let index = constantBitrate ? bitrateIndex(first.word) : 1; index <= MAX_BITRATE_INDEX; index++) {
    const host = frameOf(withBitrate(first.word, index));
    if (host && host.length >= 4 + host.sideInfo + layout.size) return host;
  }
  throw new AudioError('unsupported', `MP3 of ${first.sampleRate} Hz has no frame that an info tag fits`);
}

/** Without padding and checksum. */
function withBitrate(word: number, index: number): number {
  return ((word & ~0xf200) | (index << 12) | 0x10000) >>> 0;
}

/** Entry i: which of 256 parts of the file holds the frame at i percent of the time. */
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
