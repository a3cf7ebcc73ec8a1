import { randomUUID } from 'node:crypto';
import fs, { constants, type Dir, type Stats } from 'node:fs';
import { opendir, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { PRIVATE_FILE } from '../base/private-files.js';
import { isErrno } from '../base/errno.js';
import { writeWhole } from '../base/whole-file.js';
import { withFolder } from '../base/with-folder.js';
import type { FoundEntry } from './recent-entries.js';

/** The file work of each request. `node:fs/promises` takes more processor time. */
const close = promisify(fs.close);
const fstat = promisify(fs.fstat);
const lstat = promisify(fs.lstat);
const open = promisify(fs.open);
const readFile = promisify(fs.readFile);

/** Bytes of the largest entry. A larger file is damaged. */
export const MAX_ENTRY_BYTES = 64_000_000;
/** Bytes of a disk block. Small files take a whole one. */
const BLOCK_BYTES = 4096;
/** Milliseconds in which two changes of a file may get the same time. */
const CLOCK_MS = 100;
/** Names that one step of a listing reads. */
const STEP = 32;
/** Names of entries and of unfinished files. The folder may contain other files, which the cache never touches. */
const ENTRY = /^[0-9a-f]{64}\.speech$/;
const UNFINISHED = /^[0-9a-f-]{36}\.part$/;

/** Returns the file of a key. */
export const fileOf = (folder: string, key: string): string => path.join(folder, `${key}.speech`);

/** Bytes that a file takes on the disk. */
export const bytesOnDisk = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;

/** One file of the cache. */
export interface CacheFile {
  file: string;
  /** Bytes on the disk. */
  bytes: number;
  /** Time of the last use in milliseconds since 1970. */
  usedAt: number;
  isEntry: boolean;
}

/**
 * Reads the file of an entry, unless it has the version of `known`. Returns undefined if the file does not exist. Returns an
 * empty buffer, thus a damaged entry, for a file that cannot be an entry.
 */
export async function readEntry(file: string, known?: FoundEntry): Promise<FoundEntry | undefined> {
  if (known?.version !== undefined) {
    const stats = await found(file);
    if (stats !== undefined && versionOf(stats) === known.version) return known;
  }
  let descriptor;
  try {
    // Without O_NONBLOCK, a named pipe would block the thread.
    descriptor = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    const stats = await fstat(descriptor);
    const version = versionOf(stats);
    if (!stats.isFile() || stats.size > MAX_ENTRY_BYTES) return { bytes: Buffer.alloc(0), version };
    return { bytes: await readFile(descriptor), version };
  } finally {
    await close(descriptor);
  }
}

function versionOf({ ino, size, mtimeMs, ctimeMs }: Stats): string | undefined {
  return Date.now() - ctimeMs < CLOCK_MS ? undefined : [ino, size, mtimeMs, ctimeMs].join(' ');
}

/** Sets the time of last use. A cache without write permission can still be read. */
export async function markUsed(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
}

/** Writes a file completely or not at all. Creates the folder if it is missing. */
export async function writeEntry(file: string, bytes: Uint8Array): Promise<void> {
  const draft = path.join(path.dirname(file), `${randomUUID()}.part`);
  try {
    await withFolder(file, () => writeWhole(file, bytes, { mode: PRIVATE_FILE, draft }));
  } catch (error) {
    // Windows does not replace a file that another process reads. It has the same content.
    if (!(await isFile(file))) throw error;
  }
}

/** Whether a file of the cache exists. */
export async function isFile(file: string): Promise<boolean> {
  return (await found(file)) !== undefined;
}

async function found(file: string): Promise<Stats | undefined> {
  try {
    const stats = await lstat(file);
    return stats.isFile() ? stats : undefined;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Deletes a file. A missing file counts as deleted. */
export const removeFile = (file: string): Promise<void> => rm(file, { force: true });

/**
 * Yields the files of the cache in steps, so that a large folder needs little memory and other work can run in between.
 * @param run runs one step, which takes about a millisecond
 */
export async function* listFiles(
  folder: string,
  run: <Result>(step: () => Promise<Result>) => Promise<Result>,
): AsyncGenerator<CacheFile, void, undefined> {
  const opened = new OpenFolder();
  try {
    const directory = await run(() => opened.open(folder));
    if (directory === undefined) return;
    for (let last = false; !last;) {
      const step = await run(() => readStep(folder, directory));
      last = step.last;
      yield* step.files;
    }
  } finally {
    await opened.close();
  }
}

/** A folder that is being read. `close` also closes a folder whose opening ends later, after `run` was aborted. */
class OpenFolder {
  private directory: Dir | undefined;
  private isClosed = false;

  /** Returns undefined if the folder does not exist. */
  async open(folder: string): Promise<Dir | undefined> {
    try {
      this.directory = await opendir(folder, { bufferSize: STEP });
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined;
      throw error;
    }
    if (this.isClosed) await this.close();
    return this.directory;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.directory?.close().catch(() => undefined);
  }
}

async function readStep(folder: string, directory: Dir): Promise<{ files: CacheFile[]; last: boolean }> {
  const files: CacheFile[] = [];
  for (let count = 0; count < STEP; count += 1) {
    const next = await directory.read();
    if (next === null) return { files, last: true };
    const isEntry = ENTRY.test(next.name);
    if (!isEntry && !UNFINISHED.test(next.name)) continue;
    const file = path.join(folder, next.name);
    const stats = await found(file);
    if (stats !== undefined)
      files.push({ file, bytes: bytesOnDisk(stats.size), usedAt: stats.mtimeMs, isEntry });
  }
  return { files, last: false };
}
