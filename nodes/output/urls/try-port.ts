import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Place } from './audio-server.js';

/** Listens at a place for a moment, and closes it again. Returns the error for which that fails; undefined for a free port. */
export async function portError({ host, port }: Place): Promise<Error | undefined> {
  // A connection that is accepted in this moment must not stay open.
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen(port, ...(host === '' ? [] : [host]));
    await once(server, 'listening');
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
  server.close();
  await once(server, 'close');
  return undefined;
}
