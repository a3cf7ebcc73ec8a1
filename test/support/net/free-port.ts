import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { isErrno } from '../../../client/base/errno.js';

/** Below the ports that systems give to outgoing connections: such a connection could take the port before its server. */
const FIRST = 10_240;
/** Each caller has the next ports too, which Herald suggests for audio. */
const EACH = 8;
/** Ports for each worker of mocha: no other worker takes a port before its program listens. */
const COUNT = 350;
const WORKERS = 8;
const worker = Number(process.env['MOCHA_WORKER_ID'] ?? 0) % WORKERS;
/** The latest ports. Their programs may not listen yet. */
const given: number[] = [];
const MOST_GIVEN = 100;

/** Returns a port that no program uses at the moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + EACH * (worker * COUNT + randomInt(COUNT));
    if (given.includes(port)) continue;
    given.push(port);
    if (given.length > MOST_GIVEN) given.shift();
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port), 'listening');
  } catch (error) {
    if (isErrno(error, 'EADDRINUSE')) return false;
    throw error;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}
