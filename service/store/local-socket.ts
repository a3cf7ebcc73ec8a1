import { createHash } from 'node:crypto';
import { chmod, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { makeFolder } from './make-folder.js';

/** Bytes of a socket's path, its final NUL included: 108 on Linux, 104 on macOS (`sun_path` in sys/un.h). */
const MAX_SOCKET_PATH = 104;

/** The folder of sockets in a data folder, open to its owner alone: who can enter it may give orders. */
export async function openSocketFolder(folder: string): Promise<string> {
  const sockets = path.join(folder, 'run');
  await makeFolder(sockets);
  await chmod(sockets, 0o700);
  return realpath(sockets);
}

/**
 * Calls `use` with an address of the socket `name` in `folder`. Where the path is too long for a socket, a short-lived
 * symbolic link stands for the folder. Windows has named pipes instead, in a space of their own.
 */
export async function withSocketAddress<Result>(
  folder: string,
  name: string,
  use: (address: string) => Promise<Result>,
): Promise<Result> {
  if (process.platform === 'win32') return use(pipeName(folder, name));
  const address = path.join(folder, name);
  if (Buffer.byteLength(address) < MAX_SOCKET_PATH) return use(address);
  const near = await mkdtemp(path.join(os.tmpdir(), 'herald-'));
  try {
    await symlink(folder, path.join(near, 'run'));
    return await use(path.join(near, 'run', name));
  } finally {
    await rm(near, { recursive: true });
  }
}

function pipeName(folder: string, name: string): string {
  const place = createHash('sha256').update(folder.toLowerCase()).digest('hex').slice(0, 32);
  return `\\\\.\\pipe\\herald-${place}-${name}`;
}
