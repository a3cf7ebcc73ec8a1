import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const KEY_BYTES = 32;
/** 32 bytes in base64url. */
const KEY = /^[\w-]{43}$/;

/**
 * The key of the service, the same over restarts: DIR/key, readable by its owner alone.
 * @throws when the folder can't be written, or the file holds something else
 */
export async function openKey(folder: string): Promise<string> {
  const file = path.join(folder, 'key');
  return (await readKey(file)) ?? (await createKey(file));
}

async function readKey(file: string): Promise<string | undefined> {
  try {
    const key = (await readFile(file, 'utf8')).trim();
    if (!KEY.test(key)) throw new Error(`${file} holds no key: remove it to get a new one`);
    return key;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Linking a finished file is atomic, and of two services that start at once it lets only the first one win. */
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

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
