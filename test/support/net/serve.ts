import { createServer, type RequestListener } from 'node:http';
import { close, listen } from './fault-server.js';

/**
 * Runs `work` with the address of a server for `app`, then closes the server.
 * @param host an address of this computer
 */
export async function serving<Result>(
  app: RequestListener,
  work: (url: string) => Promise<Result>,
  host = '127.0.0.1',
): Promise<Result> {
  const server = createServer(app);
  const port = await listen(server, host);
  try {
    return await work(`http://${host}:${port}`);
  } finally {
    server.closeAllConnections();
    await close(server);
  }
}
