import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import path from 'node:path';

/** The state of a folder, as a reply (docs/service.md#natural-voices). */
export interface FolderState {
  path: string;
  isWritable: boolean;
  /** Bytes that a user can write; null if the system does not know. */
  freeBytes: number | null;
}

/** Returns the state of a folder. A missing folder has the state of its nearest parent, in which it can be created. */
export async function folderState(folder: string): Promise<FolderState> {
  const existing = await nearestFolder(folder);
  const isWritable = await succeeds(access(existing, constants.W_OK));
  return { path: folder, isWritable, freeBytes: await freeBytes(existing) };
}

async function nearestFolder(folder: string): Promise<string> {
  const parent = path.dirname(folder);
  return parent === folder || (await succeeds(access(folder))) ? folder : nearestFolder(parent);
}

async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
