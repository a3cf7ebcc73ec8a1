import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isErrno } from '@herald-speech/client/files';
import { openSocketFolder, withSocketAddress } from './local-socket.js';
import { asStoreError, StoreError } from './store-error.js';

/** The lock of a data folder. Only one process at a time holds it. */
export interface DataLock {
  readonly folder: string;
  /** Releases the lock. May be called more than once. */
  release(): Promise<void>;
}

export interface LockOptions {
  /** Milliseconds to wait until another process releases the lock. */
  patience?: number;
  signal?: AbortSignal;
}

const PATIENCE = 1000;

/** PID-TOKEN.lock. The token is random, because two processes can have the same PID, later or in two containers. */
const LOCK_NAME = /^(\d+)-[0-9a-f]{16}\.lock$/;

/** Milliseconds to wait for a connection. A process that does not accept it in time is suspended or busy, but alive. */
const ANSWER_TIMEOUT = 1000;

/**
 * Locks a data folder for this process, and creates the folder if it is missing. The lock ends with `release` or with
 * the process, even after a kill (docs/decisions/0017).
 * @throws StoreError `locked` with the PID of the other process, `read-only`, `full` or `failed`; the abort error of
 *   `signal`
 */
export async function lockDataFolder(folder: string, options: LockOptions = {}): Promise<DataLock> {
  const { patience = PATIENCE, signal } = options;
  const deadline = performance.now() + patience;
  try {
    const sockets = await openSocketFolder(folder);
    for (;;) {
      const taken = await (process.platform === 'win32' ? takePipe(sockets) : takeSocket(sockets));
      if ('release' in taken) return { folder, release: taken.release };
      if (performance.now() > deadline) throw lockedBy(taken.holder, folder);
      // Random, so that two processes that back off do not collide again and again.
      await delay(10 + Math.random() * 50, undefined, signal ? { signal } : {});
    }
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw asStoreError(error, folder);
  }
}

type Taken = { release(): Promise<void> } | { holder: number | undefined };

function lockedBy(holder: number | undefined, folder: string): StoreError {
  const owner = holder === undefined ? 'another process' : `the process ${holder}`;
  return new StoreError(
    'locked',
    `${folder} is in use by ${owner}: stop that process or choose another folder`,
  );
}

/**
 * Tries to lock with a Unix socket. The kernel refuses connections to the socket of a dead process, so a lock lives as
 * long as its process. The socket first listens, then takes a unique name in the folder, and then looks for other locks.
 * If two processes start at once, the process that takes its name later sees the other. Both may back off, but only one
 * can proceed.
 */
async function takeSocket(sockets: string): Promise<Taken> {
  const name = newLockName();
  const file = path.join(sockets, name);
  const server = await withSocketAddress(sockets, `${name}.new`, listen);
  const release = () => leave(server, file);
  try {
    await rename(`${file}.new`, file);
    const holder = await otherHolder(sockets, name);
    if (holder === undefined) return { release };
    await release();
    return { holder };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Tries to lock with a Windows pipe. The name of a pipe belongs to one process. A file shows the PID of that process. */
async function takePipe(sockets: string): Promise<Taken> {
  const names = await lockNames(sockets);
  try {
    const server = await withSocketAddress(sockets, 'lock', listen);
    await Promise.all(names.map((name) => rm(path.join(sockets, name), { force: true })));
    const file = path.join(sockets, newLockName());
    await writeFile(file, '');
    return { release: () => leave(server, file) };
  } catch (error) {
    if (isErrno(error, 'EADDRINUSE')) return { holder: pidOf(names[0]) };
    throw error;
  }
}

function newLockName(): string {
  return `${process.pid}-${randomBytes(8).toString('hex')}.lock`;
}

function pidOf(name: string | undefined): number | undefined {
  const pid = name === undefined ? undefined : LOCK_NAME.exec(name)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

async function lockNames(sockets: string): Promise<string[]> {
  return (await readdir(sockets)).filter((name) => LOCK_NAME.test(name));
}

/** Returns the PID of another live lock. Deletes dead locks, whose names are never used again. */
async function otherHolder(sockets: string, ownName: string): Promise<number | undefined> {
  for (const name of await lockNames(sockets)) {
    if (name === ownName) continue;
    if (await withSocketAddress(sockets, name, isAlive)) return pidOf(name);
    await rm(path.join(sockets, name), { force: true });
  }
  return undefined;
}

async function listen(address: string): Promise<net.Server> {
  const server = net.createServer((caller) => caller.destroy());
  server.listen(address);
  await once(server, 'listening');
  return server.unref();
}

async function leave(server: net.Server, file: string): Promise<void> {
  await rm(file, { force: true });
  if (!server.listening) return;
  server.close();
  await once(server, 'close');
}

/** Returns whether a process listens. An unclear result counts as alive, so that two processes never share a folder. */
async function isAlive(address: string): Promise<boolean> {
  const socket = net.connect(address);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(ANSWER_TIMEOUT) });
    return true;
  } catch (error) {
    return !isErrno(error, 'ECONNREFUSED', 'ENOENT');
  } finally {
    socket.destroy();
  }
}
