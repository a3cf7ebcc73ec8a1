import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openSocketFolder, withSocketAddress } from './local-socket.js';
import { asStoreError, isErrno, StoreError } from './store-error.js';

/** Proof that this process alone works with a data folder. */
export interface DataLock {
  readonly folder: string;
  /** Lets others in. May be called more than once. */
  release(): Promise<void>;
}

export interface LockOptions {
  /** Milliseconds to wait for somebody else to leave, such as a command that is about to end. */
  patience?: number;
  signal?: AbortSignal;
}

const PATIENCE = 1000;

/** PID-TOKEN.lock; the token tells apart two that share a number, over time or in two containers. */
const LOCK_NAME = /^(\d+)-[0-9a-f]{16}\.lock$/;

/** Milliseconds; a process that is stopped or busy counts as alive. */
const ANSWER_TIMEOUT = 1000;

/**
 * Takes a data folder, which is made where it is missing, for this process alone until it is released or the process
 * ends, however it ends (docs/decisions/0017).
 * @throws StoreError `locked` naming the process that holds it; `read-only`, `full` or `failed`
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
      // By chance, so that two that met do not meet for ever.
      await delay(10 + Math.random() * 50, undefined, signal ? { signal } : {});
    }
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw asStoreError(error, folder);
  }
}

type Taken = { release(): Promise<void> } | { holder: number | undefined };

function lockedBy(holder: number | undefined, folder: string): StoreError {
  const who = holder === undefined ? 'another process' : `the process ${holder}`;
  return new StoreError('locked', `${folder} is in use by ${who}: stop it or take another folder`);
}

/**
 * The kernel refuses a connection to the socket of a process that is gone, so a lock is as alive as its process. A socket
 * shows itself under a name that is never used again, and only once it listens; then it looks for others. Of two that
 * come at once, the later one to show itself sees the other: both may step back, but never do both go on.
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

/** On Windows a pipe's name belongs to one process, and goes with it. A file beside it tells who that is. */
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

/** The process of another live lock. Removes the dead ones: no name comes back to life. */
async function otherHolder(sockets: string, own: string): Promise<number | undefined> {
  for (const name of await lockNames(sockets)) {
    if (name === own) continue;
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

/** Whether a process listens: any answer but "nobody there" counts, so that doubt never lets two in. */
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
