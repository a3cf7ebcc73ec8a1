import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isErrno, PRIVATE_FILE, writeWholeSync } from '@herald-speech/client/files';
import { asStoreError } from '../kit/store-error.js';

const KEY_BYTES = 32;
/** 32 bytes as base64url. */
const KEY = /^[\w-]{43}$/;

export interface KeyFileOptions {
  isRevoked(key: string): boolean;
  /** Runs work that must succeed on a full disk, and runs it again after it has freed space. */
  freeing<Result>(work: () => Result): Result;
}

/**
 * Returns the key in the file DIR/key. Creates the file if missing, and replaces a revoked key; only its owner can read it.
 * The caller holds the lock of the folder.
 * @throws Error if the file contains anything else; StoreError
 */
export function openKey(folder: string, { isRevoked, freeing }: KeyFileOptions): string {
  const file = path.join(folder, 'key');
  const key = readKey(file);
  return key !== undefined && !isRevoked(key) ? key : freeing(() => createKey(file));
}

function readKey(file: string): string | undefined {
  try {
    const key = readFileSync(file, 'utf8').trim();
    if (KEY.test(key)) return key;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw asStoreError(error, file);
  }
  throw new Error(`${file} does not contain a key: delete the file to get a new key`);
}

/** Writes a complete file and renames it, so that a failure never leaves an incomplete file or no file. */
function createKey(file: string): string {
  const key = randomBytes(KEY_BYTES).toString('base64url');
  try {
    writeWholeSync(file, `${key}\n`, { mode: PRIVATE_FILE, flush: true });
    return key;
  } catch (error) {
    throw asStoreError(error, file);
  }
}
