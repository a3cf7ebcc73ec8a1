/** Reads a package of npm: a tar archive, compressed with gzip. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

const BLOCK = 512;
/** Bytes of the fields of a header: offset and length. */
const NAME = [0, 100] as const;
const SIZE = [124, 12] as const;
const TYPE = 156;
/** The folder in which npm packs all files. */
const ROOT = 'package/';

/** Returns the digest of a file as in a lock file of npm. */
export async function integrityOf(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha512');
  for await (const piece of createReadStream(file, { signal, highWaterMark: 1 << 20 })) hash.update(piece);
  return `sha512-${hash.digest('base64')}`;
}

/**
 * Writes the wanted files of a package to a folder.
 * @param isWanted decides by the path in the package, with slashes
 */
export async function unpack(
  file: string,
  folder: string,
  isWanted: (name: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const content = createGunzip();
  // An abort ends both streams, and the reader throws.
  pipeline(createReadStream(file, { signal, highWaterMark: 1 << 18 }), content, () => undefined);
  const bytes = new ByteReader(content);
  try {
    await writeAll(bytes, folder, isWanted);
  } finally {
    // Closes the file too.
    content.destroy();
  }
}

async function writeAll(
  bytes: ByteReader,
  folder: string,
  isWanted: (name: string) => boolean,
): Promise<void> {
  for (;;) {
    const header = await bytes.read(BLOCK);
    const name = textIn(header, NAME);
    if (name === '') return;
    const size = Number.parseInt(textIn(header, SIZE), 8);
    if (!Number.isSafeInteger(size)) throw new Error('the archive is damaged');
    const isFile = ['0', '\0'].includes(String.fromCharCode(header[TYPE] ?? 0));
    const target = targetOf(name, folder);
    const isWritten = isFile && target !== undefined && isWanted(name.slice(ROOT.length));
    await (isWritten ? writeTo(target, bytes, size) : bytes.skip(size));
    await bytes.skip(-size & (BLOCK - 1));
  }
}

/** Returns the path of a file below the folder. Undefined for a name that leaves the folder. */
function targetOf(name: string, folder: string): string | undefined {
  const target = path.resolve(folder, name.slice(ROOT.length));
  return name.startsWith(ROOT) && target.startsWith(path.resolve(folder) + path.sep) ? target : undefined;
}

async function writeTo(target: string, bytes: ByteReader, size: number): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const handle = await open(target, 'wx', 0o600);
  try {
    for await (const piece of bytes.take(size)) await handle.appendFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function textIn(header: Buffer, [offset, length]: readonly [number, number]): string {
  const [text = ''] = header.toString('latin1', offset, offset + length).split('\0', 1);
  return text.trim();
}

/** Reads a stream in parts of given lengths. */
class ByteReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#pieces = stream[Symbol.asyncIterator]();
  }

  /** Yields the next bytes. @throws Error if the stream ends before */
  async *take(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0;) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#pieces.next();
        if (done === true) throw new Error('the archive is incomplete');
        this.#rest = value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async read(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.take(length)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async skip(length: number): Promise<void> {
    const skipped = this.take(length);
    while ((await skipped.next()).done !== true);
  }
}
