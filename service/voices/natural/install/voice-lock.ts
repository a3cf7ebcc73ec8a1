import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type DataLock, lockDataFolder } from '../../../kit/data-lock.js';
import { makeStoreFolder } from '../../../kit/make-store-folder.js';
import { StoreError, type StoreErrorKind } from '../../../kit/store-error.js';
import { asNaturalVoiceError, NaturalVoiceError, type NaturalVoiceFailure } from '../../installed/errors.js';
import { placesOf } from './places.js';

/**
 * Tries to lock, because the last owner of a lock may delete the folder in between. The error does not state the cause: the bind of a socket
 * in a missing folder fails with EACCES, and another process may have created the folder again.
 */
const TRIES = 5;

/**
 * Runs `work` while this process holds the lock of a voice. A lock ends with its process, even after a kill
 * (docs/decisions/0073). Creates the folder of the voices if it is missing.
 * @param patience milliseconds to wait for another owner
 * @throws NaturalVoiceError `busy`, `read-only` or `disk`; the error of `work` as a NaturalVoiceError
 */
export async function withVoiceLock<Result>(
  folder: string,
  name: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
  patience = 1000,
): Promise<Result> {
  const { work: place } = placesOf(folder, name);
  try {
    signal.throwIfAborted();
    await makeStoreFolder(folder);
    try {
      return await whileLocked(place, patience, signal, work);
    } finally {
      await removeEmpty(place);
    }
  } catch (error) {
    throw asNaturalVoiceError(asVoiceError(error, name), name, signal);
  }
}

async function whileLocked<Result>(
  place: string,
  patience: number,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = await lockPlace(place, patience, signal);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** Removes the folders of a lock without an owner. A process that waited in vain does so too: its socket may have kept them. */
async function removeEmpty(place: string): Promise<void> {
  await removeDeadSockets(path.join(place, 'run'));
  await removeIfEmpty(path.join(place, 'run'));
  await removeIfEmpty(place);
}

async function lockPlace(place: string, patience: number, signal: AbortSignal): Promise<DataLock> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await lockDataFolder(place, { patience, signal });
    } catch (error) {
      const isLocked = error instanceof StoreError && error.kind === 'locked';
      if (isLocked || signal.aborted || tries === TRIES) throw error;
    }
  }
}

const kinds: Partial<Record<StoreErrorKind, NaturalVoiceFailure>> = {
  'read-only': 'read-only',
  full: 'disk',
};

/** Converts an error of the lock. Returns any other error unchanged. */
function asVoiceError(error: unknown, name: string): unknown {
  if (!(error instanceof StoreError)) return error;
  const { kind, message } = error;
  if (kind !== 'locked') return new NaturalVoiceError(kinds[kind] ?? 'disk', message, { cause: error });
  const [owner = 'another process'] = /process \d+/.exec(message) ?? [];
  const rule = `${owner} installs or removes this voice. Wait for its end, or cancel it`;
  return new NaturalVoiceError('busy', `${name}: ${rule}`, { cause: error });
}

/** Milliseconds after which a socket that has not become a lock belongs to a killed process. */
const DEAD_MS = 10_000;

/** Removes sockets of processes that were killed before they locked. */
async function removeDeadSockets(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const file of names.filter((name) => name.endsWith('.new')).map((name) => path.join(folder, name))) {
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > DEAD_MS) await rm(file, { force: true }).catch(() => undefined);
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined); // Another process may have locked the voice.
}
