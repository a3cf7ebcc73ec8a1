import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { asStoreError, StoreError, type StoreErrorKind } from './store-error.js';

/** SQLite tells by words alone what is wrong: this package passes no codes on. */
const meanings: readonly (readonly [RegExp, StoreErrorKind, string])[] = [
  [/disk is full/, 'full', 'there is no room left: free some space, nothing is damaged'],
  [/readonly database/, 'read-only', 'it can not be written: check who owns it and how it is mounted'],
  [/is locked/, 'locked', 'another program has it open'],
  [
    /malformed|not a database|unsupported file format/,
    'corrupt',
    'it is damaged or no database, and was left as it is: put a copy back, or move it away to start anew',
  ],
];

/** SQLite says no more than this where a system call failed. */
const UNTOLD = /disk I\/O error|unable to open|Could not open/;

/** More than a page of the database with its frame, so that what fails there fails here. */
const PROBE = Buffer.alloc(64 * 1024);

/** An error of SQLite, or of a system call, on a database file as a StoreError. */
export function asSqliteError(error: unknown, file: string): StoreError {
  if (error instanceof StoreError) return error;
  const words = error instanceof Error ? error.message : String(error);
  if (UNTOLD.test(words)) return asStoreError(failureOfWriting(file) ?? error, file);
  const meaning = meanings.find(([pattern]) => pattern.test(words));
  if (meaning === undefined) return asStoreError(error, file);
  const [, kind, help] = meaning;
  return new StoreError(kind, `${file}: ${help} (${words})`, { cause: error });
}

/**
 * Why a database can't be written, from a system call that tells: on a file beside it, which is as long (and mostly a
 * hole), so that a limit on the size of a file shows, too.
 */
function failureOfWriting(file: string): unknown {
  const probe = path.join(path.dirname(file), `.probe-${process.pid}`);
  try {
    const handle = openSync(probe, 'w', 0o600);
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
