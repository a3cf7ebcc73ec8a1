import { SpeechError } from '../base/errors.js';
import { type Text, text } from '../base/messages.js';
import { LateError } from './file-lane.js';
import { errnoOf } from '../base/errno.js';

/** The problems of a cache folder that have a description, by code of the system. */
const problems = {
  ENOSPC: text('cache-disk-full'),
  EDQUOT: text('cache-disk-full'),
  EACCES: text('cache-permission'),
  EPERM: text('cache-permission'),
  EROFS: text('cache-permission'),
  ENOTDIR: text('cache-not-folder'),
} as const satisfies Record<string, Text>;

/** Describes why the files of a cache could not be read or written. Errors of one kind have one text. */
export function problemOf(error: unknown): Text | string {
  if (error instanceof LateError) return text('cache-late');
  const code = errnoOf(error);
  if (code === undefined) return error instanceof Error ? error.message : String(error);
  const known: Readonly<Record<string, Text>> = problems;
  return known[code] ?? code;
}

/** Returns the error of `stats` and `clear`. */
export function cacheError(folder: string, error: unknown): SpeechError {
  if (error instanceof SpeechError) return error;
  const code = error instanceof LateError ? 'timed-out' : 'not-configured';
  return new SpeechError(code, text('cache-failed', { folder, problem: problemOf(error) }), { cause: error });
}
