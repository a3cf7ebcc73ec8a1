import { AudioError } from '../base/audio-error.js';
import { ascii, concat, fromAscii, lengthOf, viewOf } from './bytes.js';
import {
  blockAlign,
  EXTENSIBLE,
  readFormat,
  SUB_FORMAT_TAIL,
  wavEncodings,
  type WavFormat,
} from './wav-format.js';

/** A parsed WAV. */
export interface Wav {
  format: WavFormat;
  /** The samples as complete blocks: a view of the input, not a copy. */
  data: Uint8Array;
  /** Playing time. */
  seconds: number;
  /** True if the header does not declare the length, because the file was written as a stream. */
  streaming: boolean;
}

interface Chunk {
  id: string;
  start: number;
  size: number;
}

/**
 * Streaming writers do not know the data size and write a number near 2 or 4 GiB instead (0x7FFFF000, or 0xFFFFFFFF minus
 * the header). A real body of that size does not fit into one array.
 */
const STREAMING_SIZE = 0x7fff0000;

/** The RIFF size (file size minus 8 bytes) has 32 bits. All ones means "until the end of the file". */
const MAX_SIZE = 0xffffffff;

/** Known chunk names. They reveal a missing pad byte after a chunk of odd length. */
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
 * Finds the format and the samples of a complete WAV. Accepts chunks in any order, the sizes of streaming writers, and
 * RF64.
 *
 * If the header declares a data size, the input must contain all of it, in complete blocks. Otherwise the WAV is
 * `incomplete`. With a streaming size (0, or 2 GiB and more), the data extends to the last complete block of the input.
 * Only the transport can detect that such a body was truncated. Bytes after the data are ignored.
 *
 * @throws AudioError `not-audio`, `incomplete` or `unsupported`
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
      `WAV data of ${size} bytes: ends inside a block of ${blockAlign(format)} bytes`,
    );
  }
  const samples = bytes.subarray(data.start, data.start + size - rest);
  const seconds = samples.length / blockAlign(format) / format.sampleRate;
  return { format, data: samples, seconds, streaming };
}

function checkContainer(bytes: Uint8Array): void {
  const id = ascii(bytes, 0, 4);
  if (id === 'RIFX')
    throw new AudioError('unsupported', 'WAV of type RIFX: only RIFF and RF64 are supported');
  if (id !== 'RIFF' && id !== 'RF64')
    throw new AudioError('not-audio', 'not a WAV: does not start with RIFF');
  if (bytes.length < 12)
    throw new AudioError('incomplete', `truncated WAV: ends after ${bytes.length} bytes`);
  if (ascii(bytes, 8, 4) !== 'WAVE')
    throw new AudioError('not-audio', 'not a WAV: a RIFF file of another type');
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
  throw new AudioError(
    'incomplete',
    `truncated WAV: ends after ${bytes.length} bytes, before the ${missing} chunk`,
  );
}

/** Yields the complete chunks, and a data chunk of streaming size. */
function* chunks(bytes: Uint8Array): Generator<Chunk> {
  const view = viewOf(bytes);
  for (let at = 12; at + 8 <= bytes.length;) {
    const id = ascii(bytes, at, 4);
    const size = view.getUint32(at + 4, true);
    const chunk = { id, start: at + 8, size: id === 'data' && size === MAX_SIZE ? largeSize(bytes) : size };
    const end = chunk.start + chunk.size;
    if (end > bytes.length && !(chunk.id === 'data' && isStreaming(bytes, chunk))) {
      const present = bytes.length - chunk.start;
      throw new AudioError(
        'incomplete',
        `truncated WAV: the last chunk declares ${chunk.size} bytes, but the file has ${present} of them`,
      );
    }
    yield chunk;
    at = commonChunks.has(ascii(bytes, end, 4)) ? end : end + (chunk.size % 2);
  }
}

/** Returns the data size of an RF64 file from its first chunk `ds64`, or the placeholder without it (EBU Tech 3306). */
function largeSize(bytes: Uint8Array): number {
  const isLarge = ascii(bytes, 0, 4) === 'RF64' && ascii(bytes, 12, 4) === 'ds64' && bytes.length >= 36;
  return isLarge ? Number(viewOf(bytes).getBigUint64(28, true)) : MAX_SIZE;
}

/** Returns whether the data size is a placeholder. A size of 0 is real only if the file size in the header is correct. */
function isStreaming(bytes: Uint8Array, { size }: Chunk): boolean {
  if (size !== 0) return size >= STREAMING_SIZE;
  return viewOf(bytes).getUint32(4, true) + 8 !== bytes.length;
}

/** Chunks of a WAV besides the format and the data. Their lengths are even. */
export interface OtherChunks {
  /** Chunks between the format and the data. */
  before?: Uint8Array | undefined;
  /** Bytes of the chunks after the data. The caller writes them after the pad byte. */
  after?: number | undefined;
}

/**
 * Creates the header of a WAV. If `dataLength` (bytes) is undefined, the sizes mean "until the end of the file".
 * PCM gets the shortest header. All other encodings get the mandatory `fact` chunk.
 * @throws AudioError `unsupported` if the file would exceed 4 GiB
 */
export function wavHeader(
  format: WavFormat,
  dataLength: number | undefined,
  { before = new Uint8Array(), after = 0 }: OtherChunks = {},
): Uint8Array {
  const body = formatBody(format);
  const fact = format.encoding === 'pcm' ? [] : [chunk('fact', uint32le(blocks(format, dataLength)))];
  const inner = concat([fromAscii('WAVE'), chunk('fmt ', body), ...fact, before, fromAscii('data')]);
  const riffSize = inner.length + 4 + (dataLength ?? 0) + ((dataLength ?? 0) % 2) + after;
  if (riffSize > MAX_SIZE) {
    throw new AudioError('unsupported', `${dataLength} bytes of audio: a WAV holds at most 4 GiB`);
  }
  const declared = dataLength === undefined ? MAX_SIZE : riffSize;
  return concat([fromAscii('RIFF'), uint32le(declared), inner, uint32le(dataLength ?? MAX_SIZE)]);
}

/**
 * Creates a WAV of the samples in `pieces`, in order. Each piece must contain complete blocks.
 * @param last a chunk after the data, of even length
 * @throws AudioError `unsupported` if the file would exceed 4 GiB
 */
export function writeWav(
  format: WavFormat,
  pieces: readonly Uint8Array[],
  last: Uint8Array = new Uint8Array(),
): Uint8Array {
  const length = lengthOf(pieces);
  const pad = new Uint8Array(length % 2);
  return concat([wavHeader(format, length, { after: last.length }), ...pieces, pad, last]);
}

/** Creates the body of a `fmt ` chunk in its shortest form. */
export function formatBody(format: WavFormat): Uint8Array {
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
