import { uint32 } from './bytes.js';

/** One frame of MPEG audio layer III, as its first four bytes tell it. */
export interface Frame {
  /** Those four bytes, as a number. */
  word: number;
  /** Whole length in bytes, header included. */
  length: number;
  /** kbit/s */
  bitrate: number;
  /** Hz; each rate belongs to one of MPEG 1, 2 and 2.5. */
  sampleRate: number;
  channels: 1 | 2;
  /** Samples of each channel. */
  samples: number;
  /** Bytes of side information behind the header (and the checksum, if there is one). */
  sideInfo: number;
}

/** kbit/s of layer III by index; 0 would be free format, which is not supported. ISO 11172-3 and 13818-3, 2.4.2.3. */
const bitrates = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** Highest bit rate index; 15 is forbidden. */
export const MAX_BITRATE_INDEX = 14;

/** Hz by version bits (2.5, reserved, 2, 1) and rate index. */
const sampleRates = [[11025, 12000, 8000], [], [22050, 24000, 16000], [44100, 48000, 32000]];

const MPEG_1 = 3;
const LAYER_III = 1;
const MONO = 3;

/** The frame that begins at `at`, or undefined where none does. The frame itself may reach behind the end. */
export function readFrame(bytes: Uint8Array, at: number): Frame | undefined {
  const word = uint32(bytes, at);
  return isLayer3(word) ? frameOf(word) : undefined;
}

/** The frame that a header of layer III describes; undefined for free format and for values that mean nothing. */
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

/** Bits 12 to 15 of a header: the bit rate. */
export function bitrateIndex(word: number): number {
  return (word >>> 12) & 15;
}

/** Whether two frames can belong to one stream: bit rate and kind of stereo may change, these may not. */
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
