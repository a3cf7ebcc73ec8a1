import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { ServerConnections } from '../../../../nodes/output/urls/server-connections.js';

describe('Connections', () => {
  /** Serves the status in the path, without the end of the body. At most two connections. */
  async function serving(work: (ask: (status: number) => Promise<IncomingMessage>) => Promise<void>) {
    const connections = new ServerConnections(2);
    const server = createServer((request, response) => {
      if (!connections.occupy(request.socket, response)) return;
      response.writeHead(Number(request.url?.slice(1)));
      response.write('start');
    });
    server.on('connection', (socket) => connections.add(socket));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    try {
      await work(async (status) => {
        const asked = get({ host: '127.0.0.1', port, path: `/${status}`, agent: false });
        const [reply]: IncomingMessage[] = await once(asked, 'response');
        assert(reply !== undefined);
        reply.on('error', () => undefined);
        return reply;
      });
    } finally {
      connections.end();
      server.close();
    }
  }

  it('end the oldest reply without audio for a new player, not the audio of a player', () =>
    serving(async (ask) => {
      const playing = await ask(206);
      const unread = await ask(404);
      const ended = new Promise((resolve) => unread.once('close', resolve));
      assert.equal((await ask(200)).statusCode, 200);
      await ended;
      assert.equal(playing.destroyed, false);
    }));

  it('refuse a new player while all connections have audio', () =>
    serving(async (ask) => {
      const playing = [await ask(200), await ask(206)];
      await assert.rejects(ask(200), { code: 'ECONNRESET' });
      assert.deepEqual(
        playing.map(({ destroyed }) => destroyed),
        [false, false],
      );
    }));
});
