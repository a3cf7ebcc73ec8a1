import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { kindOf } from '../../output/files.js';
import type { PromptFile } from './prompt-file.js';

/** Returns the absolute path of a prompt file. */
export const pathOf = (folder: string, filename: string): string => path.join(folder, ...filename.split('/'));

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
  if ((await kindOf(file)) === undefined) return false;
  const stats = await stat(file);
  if (!stats.isFile() || stats.size !== made.bytes) return false;
  return modifiedMs(stats) === made.modifiedMs || hasContent(file, made, signal);
}

/** Returns whether a file has the content that a run made. */
export async function hasContent(file: string, made: PromptFile, signal: AbortSignal): Promise<boolean> {
  const hash = createHash('sha256');
  // A file that grew meanwhile is not read whole.
  await pipeline(createReadStream(file, { end: made.bytes }), hash, { signal });
  return hash.digest('hex') === made.sha256;
}
