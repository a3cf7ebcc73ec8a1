import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { PRIVATE_FOLDER } from '@herald-speech/client/files';
import { isErrno, StoreError } from './store-error.js';

/**
 * Creates a folder and its missing parents, with access for their owner only. An existing folder remains unchanged.
 * Node's `mkdir` with `recursive` loops forever, in a thread that cannot be stopped, if an existing parent rejects the
 * folder with ENOENT, as /proc does.
 * @throws StoreError `failed`, or the error of a system call
 */
export async function makeFolder(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  try {
    await makeOne(folder);
  } catch (error) {
    if (!isErrno(error, 'ENOENT') || parent === folder) throw error;
    await makeFolder(parent);
    await makeOne(folder).catch((cause: unknown) => {
      if (!isErrno(cause, 'ENOENT')) throw cause;
      const message = `${folder} cannot be created: ${parent} accepts no folders. Choose another folder`;
      throw new StoreError('failed', message, { cause });
    });
  }
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: PRIVATE_FOLDER });
  } catch (error) {
    if (!isErrno(error, 'EEXIST') || !(await isFolder(folder))) throw error;
  }
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch (cause) {
    if (!isErrno(cause, 'ENOENT')) throw cause;
    const message = `${folder} is a link to a missing folder: check if its disk is mounted`;
    throw new StoreError('failed', message, { cause });
  }
}
