import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { digestsOf } from './digests.js';
import { NaturalVoiceError } from '../../installed/errors.js';
import type { FileRecord } from '../../installed/record.js';
import type { ExpectedFile } from './voice-source.js';

/**
 * An unfinished download `FILE.part`. `FILE.part.etag` has the ETag of the reply that it comes from. A kill at any byte leaves
 * a file that a later download continues or replaces: the final name appears after size and digest were checked.
 */
export class PartFile {
  readonly #expected: ExpectedFile;
  readonly #part: string;
  readonly #etag: string;

  constructor(
    readonly to: string,
    expected: ExpectedFile,
  ) {
    this.#expected = expected;
    this.#part = `${to}.part`;
    this.#etag = `${to}.part.etag`;
  }

  /** Returns the number of bytes on disk. A file that is too large is removed. */
  async size(): Promise<number> {
    const { size } = await stat(this.#part).catch(() => ({ size: 0 }));
    if (size <= this.#expected.bytes) return size;
    await this.remove();
    return 0;
  }

  /** Returns the strong ETag (RFC 9110, 8.8.3) of the bytes on disk, if the server sent one. */
  async etag(): Promise<string | undefined> {
    return readFile(this.#etag, 'utf8').catch(() => undefined);
  }

  /** Opens the file to append bytes. @param start 0 replaces the bytes on disk */
  async open(start: number, etag: string | undefined): Promise<FileHandle> {
    if (start > 0) return open(this.#part, 'a');
    await rm(this.#part, { force: true });
    await rm(this.#etag, { force: true });
    if (etag !== undefined) await writeFile(this.#etag, etag);
    return open(this.#part, 'wx');
  }

  /**
   * Checks size and digest, and gives the file its name.
   * @throws NaturalVoiceError `digest`; the unfinished file is removed then
   */
  async finish(signal: AbortSignal): Promise<FileRecord> {
    const record = await digestsOf(this.#part, signal);
    if (record.bytes !== this.#expected.bytes || record.md5 !== this.#expected.md5) {
      await this.remove();
      throw wrongDigest(path.basename(this.to), record, this.#expected);
    }
    await syncFile(this.#part);
    await rename(this.#part, this.to);
    await this.remove();
    return record;
  }

  async remove(): Promise<void> {
    await rm(this.#part, { force: true });
    await rm(this.#etag, { force: true });
  }
}

/** Returns the error of a file whose size or digest differs. */
export function wrongDigest(file: string, found: ExpectedFile, expected: ExpectedFile): NaturalVoiceError {
  const isSize = found.bytes !== expected.bytes;
  const problem = isSize
    ? `${found.bytes} bytes, expected ${expected.bytes}`
    : `MD5 ${found.md5}, expected ${expected.md5}`;
  const fix = 'The file is damaged or has another version: refresh the catalogue or choose another mirror';
  return new NaturalVoiceError('digest', `${file}: ${problem}. ${fix}`);
}

/** Writes a file's data from the cache of the system to the disk, so that a power failure cannot lose it. */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
