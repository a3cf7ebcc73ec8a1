import path from 'node:path';
import type { Text } from '../base/messages.js';
import { AudioStore } from './audio-store.js';
import { Flights } from '../calls/flights.js';
import type { CachedSpoken } from './entry.js';

/** A store that all clients of this process share. */
export interface OpenedStore {
  store: AudioStore;
  /** The running calls of all clients. */
  flights: Flights<CachedSpoken>;
  /** Ends the use. The last release closes the store, and resolves when new speech is written. */
  release(): Promise<void>;
}

/** A use of a store: its limit in bytes, and the receiver of problems. */
interface User {
  maxBytes: number;
  warn: (warning: Text) => void;
}

interface Entry extends Omit<OpenedStore, 'release'> {
  users: Set<User>;
}

/** The open stores by path of the folder. */
const entries = new Map<string, Entry>();

/**
 * Opens the store of a folder, or returns the store that is already open.
 * @param maxBytes limit of the folder; of several users, the largest limit applies
 * @param warn receives problems of the folder, unless another user of the store already receives them
 */
export function openStore(
  folder: string,
  maxBytes: number,
  warn: (warning: Text) => void = () => undefined,
): OpenedStore {
  const place = path.resolve(folder);
  const entry = entries.get(place) ?? {
    store: new AudioStore(place, maxBytes),
    flights: new Flights<CachedSpoken>(),
    users: new Set<User>(),
  };
  entries.set(place, entry);
  const user = { maxBytes, warn };
  entry.users.add(user);
  entry.store.warners.add(user.warn);
  applyLimit(entry);
  let released: Promise<void> | undefined;
  return { ...entry, release: () => (released ??= release(place, entry, user)) };
}

function applyLimit({ store, users }: Entry): void {
  if (users.size > 0) store.maxBytes = Math.max(...[...users].map(({ maxBytes }) => maxBytes));
}

async function release(place: string, entry: Entry, user: User): Promise<void> {
  entry.users.delete(user);
  const isWarner = [...entry.users].some(({ warn }) => warn === user.warn);
  if (!isWarner) entry.store.warners.delete(user.warn);
  applyLimit(entry);
  if (entry.users.size > 0) return;
  entries.delete(place);
  await entry.store.close();
}
