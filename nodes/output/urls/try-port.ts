import { once } from 'node:events';
import { createServer } from 'node:net';
import type { PortPlace } from './audio-server.js';

/** The last work on a port. Works run one after another: a check holds its port for a moment, and another would find it taken. */
let last: Promise<unknown> = Promise.resolve();

/** Runs work while no check holds a port. */
export function betweenChecks<Result>(work: () => Promise<Result>): Promise<Result> {
  const done = last.then(work);
  last = done.catch(() => undefined);
  return done;
}

/** Listens at a place for a moment, and closes it again. Returns the error for which that fails; undefined for a free port. */
export const portError = (place: PortPlace): Promise<Error | undefined> => betweenChecks(() => check(place));

async function check({ host, port }: PortPlace): Promise<Error | undefined> {
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
