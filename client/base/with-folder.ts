import path from 'node:path';
import { isErrno } from './errno.js';
import { makePrivateFolder } from './private-files.js';

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
