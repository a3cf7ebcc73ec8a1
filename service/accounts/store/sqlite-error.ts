import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { PRIVATE_FILE } from '@herald-speech/client/files';
import { advice, asStoreError, StoreError, type StoreErrorKind } from '../../kit/store-error.js';

/** Kinds of errors by SQLite's message, because the SQLite package does not pass on the error codes. */
const meanings: readonly (readonly [RegExp, StoreErrorKind, string])[] = [
  [/disk is full/, 'full', advice.full],
  [/readonly database/, 'read-only', advice['read-only']],
  [/is locked/, 'locked', 'another program uses it: stop that program'],
  [
    /malformed|not a database|unsupported file format/,
    'corrupt',
    'it is damaged or not a database: restore a backup, or move it away to start with an empty one. Nothing was changed',
  ],
];

/** Messages of SQLite after a failed system call. They do not name the cause. */
const UNSPECIFIC = /disk I\/O error|unable to open|Could not open/;

/** Longer than a database page with its log frame, so that a write that fails for the database also fails here. */
const PROBE = Buffer.alloc(64 * 1024);

/** Converts an error of SQLite or of a system call on a database file to a StoreError. */
export function asSqliteError(error: unknown, file: string): StoreError {
  if (error instanceof StoreError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (UNSPECIFIC.test(message)) return asStoreError(failureOfWriting(file) ?? error, file);
  const meaning = meanings.find(([pattern]) => pattern.test(message));
  if (meaning === undefined) return asStoreError(error, file);
  const [, kind, help] = meaning;
  return new StoreError(kind, `${file}: ${help} (${message})`, { cause: error });
}

/**
 * Returns the error of a system call that shows why SQLite cannot write, or undefined. Writes to a sparse file of the same
 * length beside the database, so that a limit on the file size also causes the error.
 */
function failureOfWriting(file: string): unknown {
  const probe = path.join(path.dirname(file), `.probe-${process.pid}`);
  try {
    const handle = openSync(probe, 'w', PRIVATE_FILE);
    try {
      const length = Math.max(...[file, `${file}-wal`].map(sizeOf));
      writeSync(handle, PROBE, 0, PROBE.length, length);
    } finally {
      closeSync(handle);
    }
    return undefined;
  } catch (error) {
    return error;
  } finally {
    rmSync(probe, { force: true });
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
