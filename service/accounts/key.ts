import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isErrno } from '../store/store-error.js';

const KEY_BYTES = 32;
/** 32 bytes as base64url. */
const KEY = /^[\w-]{43}$/;

/**
 * Returns the key in the file DIR/key. Creates the file if missing, and replaces a revoked key; only its owner can read it.
 * @throws Error if the file contains anything else; an error of the file system
 */
export async function openKey(
  folder: string,
  isRevoked: (key: string) => boolean = () => false,
): Promise<string> {
  const file = path.join(folder, 'key');
  const key = await readKey(file);
  if (key !== undefined && !isRevoked(key)) return key;
  if (key !== undefined) await rm(file);
  return createKey(file);
}

async function readKey(file: string): Promise<string | undefined> {
  try {
    const key = (await readFile(file, 'utf8')).trim();
    if (!KEY.test(key)) throw new Error(`${file} does not contain a key: delete the file to get a new key`);
    return key;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Creates a complete file and links it. The link is atomic, so if two services start at once, both use the same key. */
async function createKey(file: string): Promise<string> {
  const key = randomBytes(KEY_BYTES).toString('base64url');
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${key}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
    return key;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return (await readKey(file)) ?? key;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
