import path from 'node:path';
import type { Text } from '../messages.js';
import { AudioStore } from './audio-store.js';
import { Flights } from './flights.js';
import type { CachedSpoken } from './entry.js';

/** A store that all clients of this process share. */
export interface OpenedStore {
  store: AudioStore;
  /** The running calls of all clients. */
  flights: Flights<CachedSpoken>;
  /** Ends the use. The last release closes the store, and resolves when new speech is written. */
  release(): Promise<void>;
}

interface Entry extends Omit<OpenedStore, 'release'> {
  users: number;
}

/** The open stores by path of the folder. */
const entries = new Map<string, Entry>();

/**
 * Opens the store of a folder, or returns the one that is open.
 * @param maxBytes replaces the limit of a store that is already open
 * @param warn receives problems of the folder, unless another user of the store already receives them
 */
export function openStore(folder: string, maxBytes: number, warn?: (warning: Text) => void): OpenedStore {
  const place = path.resolve(folder);
  const entry = entries.get(place) ?? {
    store: new AudioStore(place, maxBytes),
    flights: new Flights<CachedSpoken>(),
    users: 0,
  };
  entries.set(place, entry);
  entry.store.maxBytes = maxBytes;
  entry.users += 1;
  const warner = (warning: Text) => warn?.(warning);
  if (warn !== undefined) entry.store.warners.add(warner);
  let released: Promise<void> | undefined;
  return { ...entry, release: () => (released ??= release(place, entry, warner)) };
}

async function release(place: string, entry: Entry, warner: (warning: Text) => void): Promise<void> {
  entry.store.warners.delete(warner);
  entry.users -= 1;
  if (entry.users > 0) return;
  entries.delete(place);
  await entry.store.close();
}
