import { rm } from 'node:fs/promises';
import { moveAway, removeFolder } from './disk.js';
import { removeLeftovers } from './leftovers.js';
import { placesOf } from './places.js';
import { withVoiceLock } from './voice-lock.js';

/**
 * Removes a voice and its unfinished download. The voice disappears by a rename, so that no other process sees half of it. A
 * process that has loaded the model keeps speaking.
 * @throws NaturalVoiceError `busy`, `read-only` or `disk`
 */
export async function removeVoice(folder: string, name: string): Promise<void> {
  await withVoiceLock(folder, name, new AbortController().signal, async () => {
    await removeFolder(await moveAway(folder, name));
    await rm(placesOf(folder, name).draft, { recursive: true, force: true });
  });
  await removeLeftovers(folder);
}
