import { AudioError } from './audio-error.js';
import { ascii, concat, fromAscii, lengthOf, viewOf } from './bytes.js';
import {
  blockAlign,
  EXTENSIBLE,
  readFormat,
  SUB_FORMAT_TAIL,
  wavEncodings,
  type WavFormat,
} from './wav-format.js';

/** What a WAV holds. */
export interface Wav {
  format: WavFormat;
  /** The samples: whole blocks, a part of the input and no copy. */
  data: Uint8Array;
  seconds: number;
  /** The header was written before the length was known and does not tell it. */
  streaming: boolean;
}

interface Chunk {
  id: string;
  start: number;
  size: number;
}

/**
 * Writers that can't go back put a number near 2 or 4 GiB where the size of the data belongs (0x7FFFF000, 0xFFFFFFFF
 * less the header, ...). No whole body of that size ever comes in as one array.
 */
const STREAMING_SIZE = 0x7fff0000;

/** The size of the file, less 8, has to fit 32 bits; all ones stands for "to the end". */
const MAX_SIZE = 0xffffffff;

/** Chunk names that are sure enough to notice a pad byte that the writer forgot. */
const commonChunks = new Set([
  'fmt ',
  'data',
  'fact',
  'LIST',
  'JUNK',
  'bext',
  'id3 ',
  'ID3 ',
  'cue ',
  'PEAK',
]);

/**
 * Finds format and samples of a whole WAV: chunks in any order, sizes as streaming writers leave them.
 *
 * A declared data size has to be there in full, in whole blocks, or the WAV is `incomplete`. With a streaming size (0,
 * or 2 GiB and more) the data reaches to the end of the input, less a block cut in two; whether such a body was cut
 * short only the transport can tell. What follows the data is not looked at.
 *
 * Throws AudioError: `not-audio`, `incomplete`, `unsupported`.
 */
export function parseWav(bytes: Uint8Array): Wav {
  checkContainer(bytes);
  const { fmt, data } = findChunks(bytes);
  const format = readFormat(bytes.subarray(fmt.start, fmt.start + fmt.size));
  const streaming = isStreaming(bytes, data);
  const size = streaming ? bytes.length - data.start : data.size;
  const rest = size % blockAlign(format);
  if (rest > 0 && !streaming) {
    throw new AudioError(
      'incomplete',
      `WAV data of ${size} bytes ends within a block of ${blockAlign(format)}`,
    );
  }
  const samples = bytes.subarray(data.start, data.start + size - rest);
  const seconds = samples.length / blockAlign(format) / format.sampleRate;
  return { format, data: samples, seconds, streaming };
}

function checkContainer(bytes: Uint8Array): void {
  const id = ascii(bytes, 0, 4);
  if (id === 'RF64' || id === 'RIFX')
    throw new AudioError('unsupported', `WAV of the kind ${id} is not supported`);
  if (id !== 'RIFF') throw new AudioError('not-audio', 'not a WAV: it does not start with RIFF');
  if (bytes.length < 12) throw new AudioError('incomplete', `WAV ends after ${bytes.length} bytes`);
  if (ascii(bytes, 8, 4) !== 'WAVE') throw new AudioError('not-audio', 'RIFF file is not a WAV');
}

function findChunks(bytes: Uint8Array): { fmt: Chunk; data: Chunk } {
  let fmt: Chunk | undefined;
  let data: Chunk | undefined;
  for (const chunk of chunks(bytes)) {
    if (chunk.id === 'fmt ') fmt ??= chunk;
    if (chunk.id === 'data') data ??= chunk;
    if (fmt !== undefined && data !== undefined) return { fmt, data };
  }
  const missing = fmt === undefined ? 'format' : 'data';
  throw new AudioError('incomplete', `WAV ends after ${bytes.length} bytes, before its ${missing} chunk`);
}

/** The chunks that are whole, and data of streaming size. */
function* chunks(bytes: Uint8Array): Generator<Chunk> {
  const view = viewOf(bytes);
  for (let at = 12; at + 8 <= bytes.length;) {
    const chunk = { id: ascii(bytes, at, 4), start: at + 8, size: view.getUint32(at + 4, true) };
    const end = chunk.start + chunk.size;
    if (end > bytes.length && !(chunk.id === 'data' && isStreaming(bytes, chunk))) {
      const what = `${bytes.length - chunk.start} of the ${chunk.size} bytes of a chunk are there`;
      throw new AudioError('incomplete', `WAV is cut short: ${what}`);
    }
    yield chunk;
    at = commonChunks.has(ascii(bytes, end, 4)) ? end : end + (chunk.size % 2);
  }
}

/** A size of 0 is meant only where the size of the file was filled in: it was written after the sound. */
function isStreaming(bytes: Uint8Array, { size }: Chunk): boolean {
  const fileSizeIsRight = viewOf(bytes).getUint32(4, true) + 8 === bytes.length;
  return size >= STREAMING_SIZE || (size === 0 && !fileSizeIsRight);
}

/**
 * All of a WAV in front of its samples. `dataLength` (bytes) undefined: not known yet, the sizes say "to the end".
 * PCM gets the shortest header; the other encodings get the `fact` chunk that they must have.
 */
export function wavHeader(format: WavFormat, dataLength: number | undefined): Uint8Array {
  const body = formatBody(format);
  const fact = format.encoding === 'pcm' ? [] : [chunk('fact', uint32le(blocks(format, dataLength)))];
  const inner = concat([fromAscii('WAVE'), chunk('fmt ', body), ...fact, fromAscii('data')]);
  const riffSize = inner.length + 4 + (dataLength ?? 0) + ((dataLength ?? 0) % 2);
  if (riffSize > MAX_SIZE) {
    throw new AudioError('unsupported', `a WAV can't hold ${dataLength} bytes of sound, 4 GiB is the most`);
  }
  const declared = dataLength === undefined ? MAX_SIZE : riffSize;
  return concat([fromAscii('RIFF'), uint32le(declared), inner, uint32le(dataLength ?? MAX_SIZE)]);
}

/**
 * A whole WAV of the samples in `pieces`, one behind the other; each piece holds whole blocks.
 * Throws AudioError `unsupported` where the file would be over 4 GiB.
 */
export function writeWav(format: WavFormat, pieces: readonly Uint8Array[]): Uint8Array {
  const length = lengthOf(pieces);
  const pad = new Uint8Array(length % 2);
  return concat([wavHeader(format, length), ...pieces, pad]);
}

function formatBody(format: WavFormat): Uint8Array {
  const size = format.extensible ? 40 : format.encoding === 'pcm' ? 16 : 18;
  const body = new Uint8Array(size);
  const view = viewOf(body);
  view.setUint16(0, format.extensible ? EXTENSIBLE : wavEncodings[format.encoding], true);
  view.setUint16(2, format.channels, true);
  view.setUint32(4, format.sampleRate, true);
  view.setUint32(8, format.sampleRate * blockAlign(format), true);
  view.setUint16(12, blockAlign(format), true);
  view.setUint16(14, format.bitsPerSample, true);
  if (format.extensible) writeExtension(body, format, format.extensible);
  return body;
}

function writeExtension(
  body: Uint8Array,
  { encoding }: WavFormat,
  extension: NonNullable<WavFormat['extensible']>,
): void {
  const view = viewOf(body);
  view.setUint16(16, 22, true);
  view.setUint16(18, extension.validBitsPerSample, true);
  view.setUint32(20, extension.channelMask, true);
  view.setUint16(24, wavEncodings[encoding], true);
  body.set(fromAscii(SUB_FORMAT_TAIL), 26);
}

function blocks(format: WavFormat, dataLength: number | undefined): number {
  return dataLength === undefined ? MAX_SIZE : dataLength / blockAlign(format);
}

function chunk(id: string, body: Uint8Array): Uint8Array {
  return concat([fromAscii(id), uint32le(body.length), body]);
}

function uint32le(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  viewOf(bytes).setUint32(0, value, true);
  return bytes;
}
