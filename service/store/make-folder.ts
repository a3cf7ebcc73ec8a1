import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isErrno, StoreError } from './store-error.js';

/**
 * Makes a folder with those above it, for their owner alone; one that is there stays as it is. Node's own way to do that
 * tries for ever, in a thread that nothing ends, where a parent is there but says that the folder can't be, as /proc does.
 * @throws StoreError, or the error of a system call
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
      throw new StoreError('failed', `${folder} can not be made: ${parent} is no place for folders`, {
        cause,
      });
    });
  }
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!isErrno(error, 'EEXIST') || !(await isFolder(folder))) throw error;
  }
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch (cause) {
    if (!isErrno(cause, 'ENOENT')) throw cause;
    throw new StoreError('failed', `${folder} is a link to what is not there: is its disk mounted?`, {
      cause,
    });
  }
}
