import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Place } from './audio-server.js';

/** The last check that was asked for. Checks run one after another: each holds its port for a moment, and another would find it taken. */
let last: Promise<Error | undefined> = Promise.resolve(undefined);

/** Listens at a place for a moment, and closes it again. Returns the error for which that fails; undefined for a free port. */
export function portError(place: Place): Promise<Error | undefined> {
  last = last.then(() => check(place));
  return last;
}

/** Resolves when no check holds a port. */
export const portsChecked = async (): Promise<void> => void (await last);

async function check({ host, port }: Place): Promise<Error | undefined> {
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
