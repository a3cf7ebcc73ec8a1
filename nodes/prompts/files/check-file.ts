import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { statsOf } from '../../output/files/files.js';
import type { PromptFile } from './prompt-file.js';

/** Bytes that are read at once. */
const READ_BYTES = 1_000_000;

/** Returns the absolute path of a prompt file. */
export const promptPath = (folder: string, filename: string): string =>
  path.join(folder, ...filename.split('/'));

/** Returns the folders of a prompt file from the outer to the inner: `a` and `a/b` for `a/b/c.wav`. */
export function foldersOf(filename: string): string[] {
  const parts = filename.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}

/** Time of the last change in whole milliseconds: copies of a file often lose the finer part. */
export const modifiedMs = ({ mtimeMs }: Pick<Stats, 'mtimeMs'>): number => Math.floor(mtimeMs);

/**
 * Returns whether the file exists and is the one that a run made. The same size and time suffice. A copied folder has new times,
 * so the content decides then.
 * @throws the error of the system, except for a missing file, or the reason of the signal
 */
export async function isAsMade(file: string, made: PromptFile, signal: AbortSignal): Promise<boolean> {
  if ((await statsOf(file)) === undefined) return false;
  const stats = await stat(file);
  if (!stats.isFile() || stats.size !== made.bytes) return false;
  return modifiedMs(stats) === made.modifiedMs || hasContent(file, made, signal);
}

/**
 * Returns whether a file of the size that a run made also has its content.
 * @throws the error of the system, or the reason of the signal
 */
export async function hasContent(file: string, made: PromptFile, signal: AbortSignal): Promise<boolean> {
  const handle = await open(file);
  try {
    return (await hashFile(handle, made.bytes, signal)) === made.sha256;
  } finally {
    await handle.close();
  }
}

/** Returns the SHA-256 of the first bytes of a file. */
async function hashFile(handle: FileHandle, bytes: number, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(Math.min(bytes, READ_BYTES));
  for (let rest = bytes; rest > 0;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, Math.min(rest, buffer.length));
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    rest -= bytesRead;
  }
  return hash.digest('hex');
}
