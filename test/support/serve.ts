import { createServer, type RequestListener } from 'node:http';
import { close, listen } from './fault-server.js';

/** Runs `work` with the address of a server for `app`, then closes the server. */
export async function serving<Result>(
  app: RequestListener,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const server = createServer(app);
  const port = await listen(server);
  try {
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    await close(server);
  }
}
