import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { isErrno } from '@herald-speech/client/files';
import { NaturalVoiceError } from '../../installed/errors.js';
import { folderState } from './folder-state.js';
import { partialFolder, placesOf, removedPlace } from './places.js';

/** Bytes that remain free for the service. */
const SPARE = 1_000_000;

/** Checks the free space before a voice is written. @throws NaturalVoiceError `disk` */
export async function checkSpace(folder: string, name: string, bytes: number): Promise<void> {
  const { freeBytes } = await folderState(folder);
  if (freeBytes === null || freeBytes >= bytes + SPARE) return;
  const [needed, free] = [bytes + SPARE, freeBytes].map((count) => `${(count / 1e6).toFixed(1)} MB`);
  const fix = 'Free some space or choose another folder';
  throw new NaturalVoiceError('disk', `${name}: needs ${needed}, ${folder} has ${free} free. ${fix}`);
}

/** Gives a complete draft its final name by one rename. A former version is removed. The caller holds the lock. */
export async function publishDraft(folder: string, name: string): Promise<void> {
  const { draft, final } = placesOf(folder, name);
  await syncFolder(draft);
  const old = await moveAway(folder, name);
  try {
    await rename(draft, final);
  } catch (error) {
    if (old !== undefined) await rename(old, final);
    throw error;
  }
  await syncFolder(folder);
  await removeFolder(old);
}

/** Renames an installed voice, so that it disappears at once. Returns its new place, or undefined if it is missing. */
export async function moveAway(folder: string, name: string): Promise<string | undefined> {
  const place = removedPlace(folder, randomBytes(8).toString('hex'));
  try {
    await rename(placesOf(folder, name).final, place);
    await syncFolder(folder);
    await syncFolder(partialFolder(folder));
    return place;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Deletes a removed voice. A file that is in use on Windows remains until the next installation or removal. */
export async function removeFolder(place: string | undefined): Promise<void> {
  if (place !== undefined) await rm(place, { recursive: true, force: true }).catch(() => undefined);
}

/** Writes the names in a folder to the disk, so that they survive a power failure. Some systems do not support it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(path.resolve(folder), 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
