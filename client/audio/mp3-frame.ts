import { uint32 } from './bytes.js';

/** The header of one MPEG audio layer III frame: its first four bytes, decoded. */
export interface Frame {
  /** The four bytes as a big-endian number. */
  word: number;
  /** Length of the frame in bytes, including the header. */
  length: number;
  /** Kilobits per second. */
  bitrate: number;
  /** Hertz. Each rate belongs to exactly one of MPEG 1, 2 and 2.5. */
  sampleRate: number;
  channels: 1 | 2;
  /** Samples per channel. */
  samples: number;
  /** Bytes of side information after the header and the optional checksum. */
  sideInfo: number;
}

/** Layer III bit rates in kbit/s by index (ISO 11172-3 and 13818-3, 2.4.2.3). Index 0 means "free format", which is not supported. */
const bitrates = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** The highest valid bit rate index. Index 15 is forbidden. */
export const MAX_BITRATE_INDEX = 14;

/** Sample rates in hertz by version bits (MPEG 2.5, reserved, MPEG 2, MPEG 1) and rate index. */
const sampleRates = [[11025, 12000, 8000], [], [22050, 24000, 16000], [44100, 48000, 32000]];

const MPEG_1 = 3;
const LAYER_III = 1;
const MONO = 3;

/** Reads the frame header at offset `at`. Returns undefined if no frame starts there. The frame may exceed the input. */
export function readFrame(bytes: Uint8Array, at: number): Frame | undefined {
  const word = uint32(bytes, at);
  return isLayer3(word) ? frameOf(word) : undefined;
}

/** Decodes a layer III header. Returns undefined for free format and for reserved values. */
export function frameOf(word: number): Frame | undefined {
  const version = versionOf(word);
  const bitrate = (version === MPEG_1 ? bitrates.mpeg1 : bitrates.mpeg2)[bitrateIndex(word)];
  const sampleRate = sampleRates[version]?.[rateIndex(word)];
  if (!bitrate || !sampleRate) return undefined;
  const samples = version === MPEG_1 ? 1152 : 576;
  const padding = (word >>> 9) & 1;
  const length = Math.floor(((samples / 8) * bitrate * 1000) / sampleRate) + padding;
  const channels = ((word >>> 6) & 3) === MONO ? 1 : 2;
  return { word, length, bitrate, sampleRate, channels, samples, sideInfo: sideInfoOf(version, channels) };
}

/** Returns the bit rate index: bits 12 to 15 of a header. */
export function bitrateIndex(word: number): number {
  return (word >>> 12) & 15;
}

/** Returns whether two frames can belong to one stream. Sample rate and channels must be equal; the bit rate may differ. */
export function sameStream(a: Frame, b: Frame): boolean {
  return a.sampleRate === b.sampleRate && a.channels === b.channels;
}

function isLayer3(word: number): boolean {
  const layer = (word >>> 17) & 3;
  const emphasisReserved = (word & 3) === 2;
  return word >>> 21 === 0x7ff && layer === LAYER_III && !emphasisReserved;
}

function versionOf(word: number): number {
  return (word >>> 19) & 3;
}

function rateIndex(word: number): number {
  return (word >>> 10) & 3;
}

function sideInfoOf(version: number, channels: 1 | 2): number {
  if (version === MPEG_1) return channels === 1 ? 17 : 32;
  return channels === 1 ? 9 : 17;
}
