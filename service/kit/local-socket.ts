import { createHash } from 'node:crypto';
import { chmod, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PRIVATE_FOLDER } from '@herald-speech/client/files';
import { makeStoreFolder } from './make-store-folder.js';

/** Maximum bytes of a socket path with its final NUL: 104 on macOS, 108 on Linux (`sun_path` in sys/un.h). */
const MAX_SOCKET_PATH = 104;

/**
 * Creates the folder of the sockets in a data folder, and returns its real path. Only the owner may enter it, because
 * the control socket accepts commands from every process that can connect.
 */
export async function openSocketFolder(folder: string): Promise<string> {
  const sockets = path.join(folder, 'run');
  await makeStoreFolder(sockets);
  await chmod(sockets, PRIVATE_FOLDER);
  return realpath(sockets);
}

/**
 * Calls `use` with an address of the socket `name` in `folder`. If the path is too long for a socket, the address contains
 * a temporary symbolic link to the folder. On Windows, the address is the name of a pipe.
 */
export async function withSocketAddress<Result>(
  folder: string,
  name: string,
  use: (address: string) => Promise<Result>,
): Promise<Result> {
  if (process.platform === 'win32') return use(pipeName(folder, name));
  const address = path.join(folder, name);
  if (Buffer.byteLength(address) < MAX_SOCKET_PATH) return use(address);
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'herald-'));
  try {
    await symlink(folder, path.join(temporary, 'run'));
    return await use(path.join(temporary, 'run', name));
  } finally {
    await rm(temporary, { recursive: true });
  }
}

function pipeName(folder: string, name: string): string {
  const place = createHash('sha256').update(folder.toLowerCase()).digest('hex').slice(0, 32);
  return `\\\\.\\pipe\\herald-${place}-${name}`;
}
