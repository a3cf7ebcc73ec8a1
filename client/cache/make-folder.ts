import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/** Whether a thrown value is a system error with this code, such as `ENOENT`. */
export const isErrno = (thrown: unknown, code: string): boolean => errnoOf(thrown) === code;

/** Returns the code of a system error, or undefined for any other value. */
export function errnoOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/**
 * Creates a folder and its missing parents, with access for their owner only. An existing folder remains unchanged.
 * Node's `mkdir` with `recursive` never ends if an existing parent rejects the folder with ENOENT, as /proc does.
 */
async function makeFolder(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  try {
    await makeOne(folder);
  } catch (error) {
    if (!isErrno(error, 'ENOENT') || parent === folder) throw error;
    await makeFolder(parent);
    await makeOne(folder);
  }
}

/** Writes a file. If its folder is missing, creates the folder and writes again. */
export async function withFolder(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
    await makeFolder(path.dirname(file));
    await write();
  }
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  }
}
