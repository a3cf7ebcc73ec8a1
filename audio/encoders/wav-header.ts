import { blockAlign, type Signing, type WavFormat, wavHeader, wavMark } from '@herald-speech/client/audio';
import { joinedBytes } from './bytes.js';

/** The chunk `ds64` of RF64 without the table: name, size and 28 bytes (EBU Tech 3306). */
const DS64 = 36;
/** The highest size in a RIFF header, in bytes. */
const MAX_SIZE = 0xffff_ffff;
/** A piece of speech is shorter, in seconds. */
const MAX_PIECE = 120;
/** "RIFF", the size of the file and "WAVE", in bytes. */
const START = 12;

/** The properties of a file that its header depends on. */
export interface WavFile {
  /** Number of pieces with repetitions; undefined if not known. */
  pieces: number | undefined;
  /** The mark of synthetic speech; undefined for a file without a mark. */
  signing: Signing | undefined;
  /** Whether the file is read before it is complete. Its mark then precedes the audio, which has no known end. */
  live: boolean;
}

/** The bytes of a file before and after the audio. */
interface WavFrame {
  header(dataBytes: number | undefined): Uint8Array;
  trailer(dataBytes: number): Uint8Array;
}

/**
 * Returns whether the audio can exceed 4 GB. A short header is the default: some switches accept only a format chunk after the
 * first 12 bytes, and simple players expect 44 bytes.
 */
function canBeLarge(format: WavFormat, pieces: number | undefined): boolean {
  const bytesPerPiece = MAX_PIECE * format.sampleRate * blockAlign(format);
  return pieces === undefined || pieces * bytesPerPiece > MAX_SIZE;
}

/**
 * Returns functions that create header and trailer for a number of bytes. All headers of a file have the same length. The mark
 * follows the audio if possible (docs/decisions/0114-mark-in-metadata.md).
 */
export function wavFrame(format: WavFormat, { pieces, signing, live }: WavFile): WavFrame {
  const chunkOf = (isComplete: boolean): Uint8Array =>
    signing === undefined
      ? new Uint8Array()
      : wavMark(signing.mark, isComplete ? signing.proof() : signing.pending);
  const after = live ? 0 : chunkOf(false).length;
  const headerOf = (dataBytes: number | undefined, isComplete = dataBytes !== undefined) =>
    wavHeader(format, dataBytes, { before: live ? chunkOf(isComplete) : undefined, after });
  return {
    header: canBeLarge(format, pieces) ? largeHeaders(format, headerOf, after) : (bytes) => headerOf(bytes),
    trailer: (dataBytes) =>
      joinedBytes([new Uint8Array(dataBytes % 2), live ? new Uint8Array() : chunkOf(true)]),
  };
}

/**
 * Returns a function that creates headers with space for the sizes of RF64 (EBU Tech 3306), which they use above 4 GB.
 * @param after bytes of the chunks after the data
 */
function largeHeaders(
  format: WavFormat,
  headerOf: (dataBytes: number | undefined, isComplete?: boolean) => Uint8Array,
  after: number,
): WavFrame['header'] {
  const { length } = headerOf(undefined);
  return (dataBytes) => {
    const fileBytes = length + DS64 + (dataBytes ?? 0) + ((dataBytes ?? 0) % 2) + after;
    if (dataBytes !== undefined && fileBytes - 8 > MAX_SIZE)
      return rf64(format, headerOf(undefined, true), dataBytes, fileBytes);
    return withReserve(headerOf(dataBytes), dataBytes === undefined ? undefined : fileBytes);
  };
}

/** Adds an empty chunk before the data. The format chunk stays at the start, because some switches read it there. */
function withReserve(header: Uint8Array, fileBytes: number | undefined): Uint8Array {
  const result = Buffer.alloc(header.length + DS64);
  result.set(header.subarray(0, -8));
  result.write('JUNK', header.length - 8, 'latin1');
  result.writeUInt32LE(DS64 - 8, header.length - 4);
  result.set(header.subarray(-8), result.length - 8);
  if (fileBytes !== undefined) result.writeUInt32LE(fileBytes - 8, 4);
  return result;
}

/** `ds64` must be the first chunk. The sizes of 32 bits are all ones. */
function rf64(format: WavFormat, plain: Uint8Array, dataBytes: number, fileBytes: number): Uint8Array {
  const result = Buffer.alloc(plain.length + DS64);
  result.set(plain.subarray(0, START));
  result.write('RF64', 0, 'latin1');
  result.write('ds64', START, 'latin1');
  result.writeUInt32LE(DS64 - 8, START + 4);
  result.writeBigUInt64LE(BigInt(fileBytes - 8), START + 8);
  result.writeBigUInt64LE(BigInt(dataBytes), START + 16);
  result.writeBigUInt64LE(BigInt(dataBytes / blockAlign(format)), START + 24);
  result.set(plain.subarray(START), START + DS64);
  return result;
}
