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
import { z } from 'zod';
import type { DataLock } from './data-lock.js';
import { Database } from './database.js';
import { asSqliteError } from './sqlite-error.js';
import { isErrno, StoreError } from './store-error.js';

/**
 * The write-ahead log in exclusive mode: a commit is whole in the log, with checksums, or it is not there. The usual
 * rollback journal would not do: this build of SQLite never plays it back after a kill (docs/decisions/0017). FULL: what
 * is answered for is on the disk, so that it outlives a power cut, too.
 */
const SETTINGS = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;`;

/**
 * Opens DIR/herald.sqlite, which is made where it is missing, checks it and takes the steps of `migrations` that it has
 * not taken yet. Once per lock.
 * @throws StoreError `corrupt` or `too-new` before anything was changed; `full`, `read-only` or `failed`
 */
export function openDatabase({ folder }: DataLock, migrations: readonly string[]): Database {
  const file = path.join(folder, 'herald.sqlite');
  try {
    removeStaleLock(file);
    if (!existsSync(file)) create(file, migrations);
    accessSync(file, constants.R_OK | constants.W_OK);
    inspect(file, migrations.length);
    return connect(file, migrations);
  } catch (error) {
    throw asSqliteError(error, file);
  }
}

/** SQLite's own lock is a folder, which a kill leaves behind; the lock on the data folder tells that it is nobody's. */
function removeStaleLock(file: string): void {
  try {
    rmdirSync(`${file}.lock`);
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}

/** Under another name until it is whole, so that an empty or half a database is never one that a kill left. */
function create(file: string, migrations: readonly string[]): void {
  if (existsSync(`${file}-wal`)) {
    throw new StoreError('corrupt', `${file} is gone but its log ${file}-wal is there: put the file back`);
  }
  const draft = `${file}.new`;
  removeStaleLock(draft);
  for (const end of ['', '-wal', '-journal']) rmSync(draft + end, { force: true });
  connect(draft, migrations).close();
  renameSync(draft, file);
  syncFolder(path.dirname(file));
}

/** A new name is on the disk when its folder is; Windows has no such call and needs none. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** Looks without touching: a connection that may write would tidy up the log of a damaged file when it closes. */
function inspect(file: string, known: number): void {
  if (statSync(file).size === 0) throw new StoreError('corrupt', `${file} is empty: put a copy back`);
  const database = new Database(file, { readOnly: true });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    const check = z.object({ quick_check: z.string() });
    const found = database.get(check, 'PRAGMA quick_check(1)')?.quick_check;
    if (found !== 'ok') throw new Error(`database disk image is malformed: ${found ?? 'no answer'}`);
    const version = versionOf(database);
    if (version > known) throw tooNew(file, version, known);
  } finally {
    database.close();
  }
}

function tooNew(file: string, version: number, known: number): StoreError {
  const words = `${file} is of version ${version}, and this program knows up to ${known}: it was not changed`;
  return new StoreError('too-new', `${words}; use the later program that wrote it`);
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

/** Each step is taken whole, with its number, or not at all. */
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
