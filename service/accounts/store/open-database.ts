import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { isErrno } from '@herald-speech/client/files';
import { z } from 'zod';
import type { DataLock } from '../../kit/data-lock.js';
import { Database } from './database.js';
import { asSqliteError } from './sqlite-error.js';
import { StoreError } from '../../kit/store-error.js';

/**
 * Write-ahead log in exclusive mode: the log has checksums, so a commit is complete or absent. The default rollback journal
 * is not safe: this build of SQLite never applies it after a kill (docs/decisions/0017). FULL: a commit is on disk before
 * the service replies, so that it survives a power failure.
 */
const SETTINGS = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;`;

/**
 * Opens DIR/herald.sqlite, creates it if it is missing, checks it, and runs the missing migrations. Call it once per lock.
 * @throws StoreError `corrupt` or `too-new` before any change; `full`, `read-only`, `locked` or `failed`
 */
export function openDatabase({ folder }: DataLock, migrations: readonly string[]): Database {
  const file = path.join(folder, 'herald.sqlite');
  try {
    removeStaleLock(file);
    if (!existsSync(file)) create(file, migrations);
    accessSync(file, constants.R_OK | constants.W_OK);
    inspect(file, migrations.length);
    const database = connect(file, migrations);
    database.keepReserve();
    return database;
  } catch (error) {
    throw asSqliteError(error, file);
  }
}

/** Deletes SQLite's lock, a folder that remains after a kill. No process owns it, because this process has the DataLock. */
function removeStaleLock(file: string): void {
  try {
    rmdirSync(`${file}.lock`);
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}

/** Creates the database under a temporary name, so that a kill never leaves an incomplete database. */
function create(file: string, migrations: readonly string[]): void {
  if (existsSync(`${file}-wal`)) {
    throw new StoreError('corrupt', `${file} is missing, but its log ${file}-wal exists: restore the file`);
  }
  const draft = `${file}.new`;
  removeStaleLock(draft);
  for (const end of ['', '-wal', '-journal']) rmSync(draft + end, { force: true });
  connect(draft, migrations).close();
  renameSync(draft, file);
  syncFolder(path.dirname(file));
}

/** Writes the names in a folder to disk. Windows lacks this call and does not need it. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** Checks the database with a read-only connection. A writable one would remove the log of a damaged file on close. */
function inspect(file: string, known: number): void {
  if (statSync(file).size === 0) throw new StoreError('corrupt', `${file} is empty: restore a backup`);
  const database = new Database(file, { readOnly: true });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    const check = z.object({ quick_check: z.string() });
    const found = database.get(check, 'PRAGMA quick_check(1)')?.quick_check;
    if (found !== 'ok') throw new Error(`database disk image is malformed: ${found ?? 'the check failed'}`);
    const version = versionOf(database);
    if (version > known) throw tooNew(file, version, known);
  } finally {
    database.close();
  }
}

function tooNew(file: string, version: number, known: number): StoreError {
  const message = `${file} has schema version ${version}, this program supports versions up to ${known}`;
  return new StoreError('too-new', `${message}: use the newer program that wrote it. Nothing was changed`);
}

function versionOf(database: Database): number {
  const row = z.object({ user_version: z.number() });
  return database.get(row, 'PRAGMA user_version')?.user_version ?? 0;
}

function connect(file: string, migrations: readonly string[]): Database {
  const database = new Database(file);
  try {
    database.exec(SETTINGS);
    migrate(database, migrations);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Runs the missing steps. Each step and its version number are one transaction. */
function migrate(database: Database, migrations: readonly string[]): void {
  const taken = versionOf(database);
  for (const [index, step] of migrations.entries()) {
    if (index < taken) continue;
    database.transaction(() => {
      database.exec(step);
      database.exec(`PRAGMA user_version = ${index + 1}`);
    });
  }
}
