/** The file of an exported voice: a tar archive (POSIX ustar) with the files of the voice in a folder, without compression. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { asNaturalVoiceError, NaturalVoiceError } from '../../installed/errors.js';
import { fileNamesOf } from '../../installed/voice-name.js';
import type { FilePart } from '../transfer/folder-source.js';

const BLOCK = 512;
/** Maximum number of files in an archive. */
const MAX_FILES = 10_000;
/** The fields of a header: offset and bytes. */
const FIELD = {
  name: [0, 100],
  size: [124, 12],
  sum: [148, 8],
  magic: [257, 5],
  prefix: [345, 155],
} as const;
const TYPE = 156;

/**
 * Writes an installed voice to one file. The file has its name only after it is complete.
 * @param folder the folder of the voice
 * @throws NaturalVoiceError
 */
export async function exportVoice(
  folder: string,
  name: string,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const part = `${to}.part`;
  try {
    const handle = await open(part, 'w');
    try {
      for (const file of Object.values(fileNamesOf(name))) await append(handle, folder, name, file, signal);
      await handle.appendFile(Buffer.alloc(2 * BLOCK));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, to);
  } catch (error) {
    await rm(part, { force: true });
    throw asNaturalVoiceError(error, to, signal);
  }
}

/** Appends a file. A voice can lack the model card. */
async function append(handle: FileHandle, folder: string, name: string, file: string, signal: AbortSignal) {
  const place = path.join(folder, file);
  const found = await stat(place).catch(() => undefined);
  if (found === undefined) return;
  await handle.appendFile(headerOf(name, file, found.size));
  for await (const piece of createReadStream(place, { signal, highWaterMark: 1 << 20 }))
    await handle.appendFile(piece);
  await handle.appendFile(Buffer.alloc(-found.size & (BLOCK - 1)));
}

function headerOf(folder: string, file: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const write = (text: string, [offset, length]: readonly [number, number]) => {
    if (Buffer.byteLength(text) > length)
      throw new NaturalVoiceError(
        'invalid',
        `${folder}: the name is too long for an archive, at most 90 bytes`,
      );
    header.write(text, offset, length);
  };
  write(file, FIELD.name);
  write(folder, FIELD.prefix);
  // Mode, user, group and time, which no reader of Herald uses.
  for (const [offset, text] of [
    [100, '0000644'],
    [108, '0000000'],
    [116, '0000000'],
    [136, '00000000000'],
  ] as const)
    header.write(text, offset);
  write(size.toString(8).padStart(11, '0'), FIELD.size);
  header.write('0', TYPE);
  header.write('ustar\u000000', FIELD.magic[0]);
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, FIELD.sum[0]);
  return header;
}

/** Returns the sum of the bytes, with spaces in place of the sum itself. */
function sumOf(header: Buffer): number {
  const [offset, length] = FIELD.sum;
  const own = header.subarray(offset, offset + length).reduce((sum, byte) => sum + byte, 0);
  return header.reduce((sum, byte) => sum + byte, 0) - own + length * 0x20;
}

/**
 * Returns the files in an archive by their paths. Leaves out folders, links and hidden names.
 * @throws NaturalVoiceError `invalid` for another file, or for an incomplete one
 */
export async function filesInArchive(archive: string): Promise<ReadonlyMap<string, FilePart>> {
  const files = new Map<string, FilePart>();
  const handle = await open(archive);
  try {
    const { size: end } = await handle.stat();
    for (let at = 0; at < end && files.size < MAX_FILES;) {
      const { buffer } = await handle.read(Buffer.alloc(BLOCK), 0, BLOCK, at);
      if (buffer.every((byte) => byte === 0)) break;
      const { name, size, isFile } = entryIn(buffer, archive);
      const start = at + BLOCK;
      if (start + size > end) throw wrong(archive, 'the file is incomplete. Copy it again');
      if (isFile && !/(^|\/)\./.test(name))
        files.set(name, { file: archive, size, range: { start, end: start + size - 1 } });
      at = start + Math.ceil(size / BLOCK) * BLOCK;
    }
  } finally {
    await handle.close();
  }
  return files;
}

function entryIn(header: Buffer, archive: string) {
  const text = ([offset, length]: readonly [number, number]) =>
    header.toString('utf8', offset, offset + length).split('\0', 1)[0] ?? '';
  const [sum, size] = [text(FIELD.sum), text(FIELD.size)].map((digits) => Number.parseInt(digits.trim(), 8));
  if (text(FIELD.magic) !== 'ustar' || sum !== sumOf(header) || size === undefined || !(size >= 0))
    throw wrong(archive, 'expected a folder, or a file of "herald-service voices export"');
  const prefix = text(FIELD.prefix);
  const name = (prefix === '' ? '' : `${prefix}/`) + text(FIELD.name);
  return {
    name: name.replace(/^(?:\.\/)+/, ''),
    size,
    isFile: size > 0 && /[0\0]/.test(String.fromCodePoint(header[TYPE] ?? 0)),
  };
}

const wrong = (archive: string, reason: string) => new NaturalVoiceError('invalid', `${archive}: ${reason}`);
