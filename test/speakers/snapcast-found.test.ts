import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { groupsAt } from '../../speakers/snapcast/snapcast.js';
import { close, listen } from '../support/net/fault-server.js';
import { never } from '../support/waiting.js';

const STATUS = { server: { groups: [{ id: '4d', name: 'Kitchen' }], streams: [] } };

describe('the groups of a found Snapcast server', () => {
  it('have the address of the server, with the brackets of an IPv6 address, and their ids', async () => {
    const server = createServer((socket) =>
      socket.resume().end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, result: STATUS })}\r\n`),
    );
    const port = await listen(server);
    // Some computers have no IPv6, and the brackets of an IPv4 address have the same effect.
    const address = `[127.0.0.1]:${port}`;
    try {
      const found = await groupsAt(address, never);
      assert.deepEqual(found, [{ name: 'Kitchen', id: '4d', address: `${address}/4d` }]);
    } finally {
      await close(server);
    }
  });
});
