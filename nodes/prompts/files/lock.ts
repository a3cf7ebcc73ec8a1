import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lazy, SpeechError, type Text, z } from '@herald-speech/client';
import { withTimeLimit } from '../../output/files/time-limit.js';
import { statsOf, makeFolder, withErrors } from '../../output/files/files.js';
import { hasEnded, HOST } from '../../output/files/temporary-files.js';
import { say } from '../../runtime/messages.js';

/** The permission to make prompts in a folder. One run at a time has it. */
export interface FolderLock {
  /**
   * Checks that the lock is still there. If this machine sleeps for minutes, another run takes the folder.
   * @throws SpeechError `busy`, or `bad-request` if the folder was removed
   */
  check(): Promise<void>;
  /** May be called more than once. Never rejects. */
  release(): Promise<void>;
}

/** The host, the process and a random part. A name is never used again, so a dead lock can be deleted safely. */
const NAME = /^\.herald-run-([0-9a-f]{8})-(\d+)-[0-9a-f-]{36}\.lock$/;
/** Milliseconds during which two runs that start at the same moment may try again. */
const PATIENCE_MS = 400;
/** Milliseconds between two tries of a run that waits for the end of another one. */
const LOOK_MS = 2000;
/** Milliseconds between two signs of life. */
const BEAT_MS = 20_000;
/** Milliseconds without a sign of life after which a lock counts as dead. */
const DEAD_MS = 300_000;
/** Milliseconds that an interrupted run waits: after a crash, its folder can have the lock of a machine that is gone. */
export const UNTIL_DEAD_MS = DEAD_MS + BEAT_MS;

const content = lazy(() => z.object({ host: z.string().max(300), pid: z.int() }));
const never = new AbortController().signal;
/** The owner that took the lock of a machine while it slept. */
const UNKNOWN = { host: '?', pid: '?' };
/** The locks of this process. */
const own = new Set<string>();

/**
 * Locks the folder of a run, and creates the folder if it is missing. The lock is a file that ends with `release` or with the
 * process. A lock of another machine ends 5 minutes after its last sign of life (docs/decisions/0095).
 * @param patience milliseconds to wait for the end of another run
 * @throws SpeechError `busy` with the owner, `bad-request` if the folder is not writable, `timed-out`, or the reason of the
 *   signal
 */
export function lockFolder(folder: string, signal: AbortSignal, patience = PATIENCE_MS): Promise<FolderLock> {
  const place = path.join(folder, 'lock');
  return withErrors(folder, async () => {
    await withTimeLimit(place, signal, () => makeFolder(folder));
    for (const deadline = performance.now() + patience; ;) {
      const taken = await withTimeLimit(place, signal, () => take(folder));
      if ('release' in taken) return taken;
      if (performance.now() > deadline) throw busy(folder, taken.owner);
      const pause = patience > PATIENCE_MS ? LOOK_MS : 10;
      // Random, so that two runs that back off do not collide again and again.
      await delay(pause + Math.random() * 50, undefined, { signal });
    }
  });
}

function busy(folder: string, owner: Text): SpeechError {
  return new SpeechError('busy', say('prompts-busy', { folder: JSON.stringify(folder), owner }));
}

const removed = (folder: string): SpeechError =>
  new SpeechError('bad-request', say('prompts-removed', { folder: JSON.stringify(folder) }));

/**
 * Writes a lock, then looks for others. If two runs start at the same moment, the later one sees the lock of the other. Both
 * may give up, but only one can proceed.
 */
async function take(folder: string): Promise<FolderLock | { owner: Text }> {
  const name = `.herald-run-${HOST}-${process.pid}-${randomUUID()}.lock`;
  const file = path.join(folder, name);
  own.add(name);
  try {
    await writeFile(file, ownContent(), { flag: 'wx' });
    const owner = await otherOwner(folder, name);
    if (owner === undefined) return held(folder, file);
    await leave(file);
    return { owner };
  } catch (error) {
    await leave(file);
    throw error;
  }
}

const ownContent = (): string => JSON.stringify({ host: os.hostname(), pid: process.pid });

/** Writes a sign of life from time to time. */
function held(folder: string, file: string): FolderLock {
  const beat = () => {
    // The flag creates no new file. The file system sets the time, because clocks of machines differ.
    writeFile(file, ownContent(), { flag: 'r+' }).catch(() => undefined);
  };
  const timer = setInterval(beat, BEAT_MS).unref();
  return {
    async check() {
      const exists = (place: string) => async () => (await statsOf(place)) !== undefined;
      const look = (place: string) => withErrors(folder, () => withTimeLimit(file, never, exists(place)));
      if (await look(file)) return;
      throw (await look(folder)) ? busy(folder, say('prompts-owner', UNKNOWN)) : removed(folder);
    },
    async release() {
      clearInterval(timer);
      await leave(file);
    },
  };
}

async function leave(file: string): Promise<void> {
  own.delete(path.basename(file));
  await rm(file, { force: true }).catch(() => undefined);
}

/** Returns the owner of another live lock. Deletes dead locks. */
async function otherOwner(folder: string, name: string): Promise<Text | undefined> {
  for (const other of await readdir(folder)) {
    const [, host, pid] = NAME.exec(other) ?? [];
    if (other === name || host === undefined) continue;
    const file = path.join(folder, other);
    const isDead =
      (host === HOST && isEnded(other, Number(pid))) || (await isOld(file, path.join(folder, name)));
    if (!isDead) return ownerOf(file, Number(pid));
    await rm(file, { force: true });
  }
  return undefined;
}

/** A lock with the id of this process that this process did not write belongs to an ended process of a container. */
const isEnded = (name: string, pid: number): boolean =>
  pid === process.pid ? !own.has(name) : hasEnded(pid);

/** Whether the last sign of life is old, measured with the clock of the file system. A file that has gone is old. */
async function isOld(file: string, fresh: string): Promise<boolean> {
  const times = await Promise.all(
    [file, fresh].map((one) =>
      stat(one).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  const [last = 0, now = 0] = times;
  return last === 0 || now - last > DEAD_MS;
}

async function ownerOf(file: string, pid: number): Promise<Text> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const found = content().safeParse(parsed(text));
  return say('prompts-owner', found.success ? found.data : { host: '?', pid });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
