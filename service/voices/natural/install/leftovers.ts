import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isVoiceName } from '../../installed/voice-name.js';
import { isRemovedName, partialFolder, placesOf } from './places.js';
import { withVoiceLock } from './voice-lock.js';

/** Milliseconds after which an unfinished download is deleted. Until then, an installation continues it. */
const KEPT_MS = 7 * 86_400_000;

/**
 * Deletes the files of removed voices, and unfinished downloads without a change for a week. Never rejects: the next
 * installation or removal tries again.
 */
export async function removeVoiceLeftovers(folder: string, now = Date.now()): Promise<void> {
  const names = await readdir(partialFolder(folder)).catch(() => []);
  for (const name of names) {
    const place = path.join(partialFolder(folder), name);
    if (isRemovedName(name)) await rm(place, { recursive: true, force: true }).catch(() => undefined);
    else if (isVoiceName(name)) await removeOldDraft(folder, name, now).catch(() => undefined);
  }
}

async function removeOldDraft(folder: string, name: string, now: number): Promise<void> {
  const { draft } = placesOf(folder, name);
  if (now - (await lastChange(draft)) < KEPT_MS) return;
  const remove = () => rm(draft, { recursive: true, force: true });
  await withVoiceLock(folder, name, new AbortController().signal, remove, 0);
}

/** Returns the time of the last change below a folder, or 0 if it is missing. */
async function lastChange(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const places = [folder, ...names.map((name) => path.join(folder, name))];
  const times = places.map((place) =>
    stat(place).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    ),
  );
  return Math.max(...(await Promise.all(times)));
}
