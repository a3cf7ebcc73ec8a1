import { lstat, stat } from 'node:fs/promises';
import path from 'node:path';
import { isErrno, makePrivateFolder } from '@herald-speech/client/files';
import { StoreError } from './store-error.js';

/**
 * Creates a folder and its missing parents, with access for their owner only. An existing folder remains unchanged.
 * @throws StoreError `failed`, or the error of a system call
 */
export async function makeStoreFolder(folder: string): Promise<void> {
  try {
    await makePrivateFolder(folder);
    await stat(folder);
  } catch (cause) {
    if (!isErrno(cause, 'ENOENT')) throw cause;
    throw new StoreError('failed', await problemOf(folder), { cause });
  }
}

/** Returns the reason why a folder is still missing, with the name of the first place that is to blame. */
async function problemOf(folder: string): Promise<string> {
  const parent = path.dirname(folder);
  if (await isFound(lstat(folder)))
    return `${folder} is a link to a missing folder: check if its disk is mounted`;
  if (await isFound(stat(parent)))
    return `${folder} cannot be created: ${parent} accepts no folders. Choose another folder`;
  return problemOf(parent);
}

const isFound = (found: Promise<object>): Promise<boolean> =>
  found.then(
    () => true,
    () => false,
  );
