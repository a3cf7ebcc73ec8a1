import { AudioError } from '../base/audio-error.js';
import { ascii, viewOf } from './bytes.js';
import { readFormat } from './wav-format.js';
import { formatBody } from './wav.js';

/** A part of a file, with the offsets of its first byte and after its last byte. */
interface Chunk {
  id: string;
  start: number;
  end: number;
}

/**
 * Checks that all players play the same bytes of a WAV: one format in a usual form, one block of data, and chunks with a zero for the
 * pad byte up to the end of the file, which is the end that the header declares.
 * @throws AudioError `incomplete`, and as `readFormat`
 */
export function checkLayout(bytes: Uint8Array): void {
  const fits = bytes.length >= 12 && viewOf(bytes).getUint32(4, true) === bytes.length - 8;
  const chunks = fits && ascii(bytes, 0, 4) === 'RIFF' ? chunksIn(bytes, 12, bytes.length) : undefined;
  const [format, ...formats] = chunks?.filter(({ id }) => id === 'fmt ') ?? [];
  const data = chunks?.filter(({ id }) => id === 'data') ?? [];
  if (format === undefined || formats.length > 0 || data.length !== 1 || !isUsual(bytes, format))
    throw new AudioError('incomplete', 'WAV with parts that players read differently');
}

/** Returns the chunks between two offsets, without their headers. Returns undefined if they do not fill the place exactly. */
function chunksIn(bytes: Uint8Array, from: number, to: number): Chunk[] | undefined {
  const view = viewOf(bytes);
  const chunks: Chunk[] = [];
  let at = from;
  while (at + 8 <= to) {
    const start = at + 8;
    const end = start + view.getUint32(at + 4, true);
    chunks.push({ id: ascii(bytes, at, 4), start, end });
    at = end + (end % 2);
    if (at > end && bytes[end] !== 0) return undefined;
  }
  return at === to ? chunks : undefined;
}

/** Returns whether a format has its shortest form. Some writers add an empty extension. */
function isUsual(bytes: Uint8Array, { start, end }: Chunk): boolean {
  const body = Buffer.from(bytes.subarray(start, end));
  const usual = formatBody(readFormat(body));
  return body.equals(usual) || (usual.length === 16 && body.equals(Buffer.concat([usual, Buffer.alloc(2)])));
}
