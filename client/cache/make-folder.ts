import path from 'node:path';
import { makePrivateFolder } from '../private-files.js';

/** Whether a thrown value is a system error with this code, such as `ENOENT`. */
export const isErrno = (thrown: unknown, code: string): boolean => errnoOf(thrown) === code;

/** Returns the code of a system error, or undefined for any other value. */
export function errnoOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** Writes a file. If its folder is missing, creates the folder and writes again. */
export async function withFolder(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
    await makePrivateFolder(path.dirname(file));
    await write();
  }
}
