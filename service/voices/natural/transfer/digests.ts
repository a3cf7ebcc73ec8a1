import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileRecord } from '../../installed/record.js';

/**
 * Reads a file, or a part of it, and returns its size and digests.
 * @throws an error of the file system; an AbortError
 */
export async function digestsOf(
  file: string,
  signal: AbortSignal,
  range: { start?: number; end?: number } = {},
): Promise<FileRecord> {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')];
  let bytes = 0;
  for await (const piece of createReadStream(file, { signal, highWaterMark: 1 << 20, ...range })) {
    bytes += Buffer.byteLength(piece);
    md5.update(piece);
    sha256.update(piece);
  }
  return { bytes, md5: md5.digest('hex'), sha256: sha256.digest('hex') };
}
