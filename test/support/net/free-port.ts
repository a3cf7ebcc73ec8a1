import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns a port that no program uses at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return address.port;
}
