import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { failureOf, ask, goodService } from '../asking.js';
import { type Script, withServer } from '../../../support/net/scripted-server.js';
import { withSecureServer } from '../../../support/net/proxy.js';
import { useNodeRed } from '../../../support/node-red/shared-node-red.js';

const typed = (url: string, apiKey = 'key') => ({ typed: { service: 'hosted', url, apiKey } });

/** Runs `work` with a TCP server. */
async function withSocket(
  answer: (socket: Socket) => void,
  work: (port: number) => Promise<void>,
): Promise<void> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    answer(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  try {
    await work(address !== null && typeof address === 'object' ? address.port : 0);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }
}

describe('Test of an account explains', () => {
  const nodeRed = useNodeRed();
  const failure = async (body: object) => failureOf(await ask(nodeRed().url, 'test', body)).message;
  const replies = (script: Script, expected: RegExp) =>
    withServer(script, async ({ url }) => assert.match(await failure(typed(url)), expected));
  const NO_SERVICE = /^no speech service at this address: check “Base URL”$/;

  it('a missing address', async () =>
    assert.match(await failure(typed('')), /^Base URL is missing: enter the URL/));

  it('a missing key', async () =>
    assert.match(await failure(typed('http://127.0.0.1:9', '')), /^API key is missing: enter the key/));

  it('a wrong key', () =>
    replies(
      () => ({ status: 401, body: {} }),
      /^API key: the service does not accept this key \(401\)\. Enter a valid key\.$/,
    ));

  it('a web page', () =>
    replies(() => ({ headers: { 'content-type': 'text/html' }, body: Buffer.from('<p>') }), NO_SERVICE));
  it('a web server without the path', () =>
    replies(
      () => ({ status: 404, headers: { 'content-type': 'text/html' }, body: Buffer.from('no') }),
      NO_SERVICE,
    ));
  it('a redirect', () => replies(() => ({ status: 302, headers: { location: '/login' } }), NO_SERVICE));
  it('another JSON interface', () => replies(() => ({ body: { hello: 'world' } }), NO_SERVICE));

  it('a server of another protocol', () =>
    withSocket(
      (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
      async (port) => assert.match(await failure(typed(`http://127.0.0.1:${port}`)), NO_SERVICE),
    ));

  it('an address with http:// for a service with TLS', () =>
    withSecureServer(goodService, async ({ port }) =>
      assert.equal(
        await failure(typed(`http://127.0.0.1:${port}`)),
        'Base URL: this port needs https:// at the start of the address',
      ),
    ));

  it('an address with https:// for a service without TLS', () =>
    withServer(goodService, async ({ port }) =>
      assert.equal(
        await failure(typed(`https://127.0.0.1:${port}`)),
        'Base URL: this port needs http:// at the start of the address',
      ),
    ));

  it('a service that does not answer within 10 s', async () => {
    const NO_ANSWER = 'no answer within 10 s: check “Base URL” and the network';
    await withSocket(
      () => undefined,
      async (port) => {
        const [http, wyomingServer] = await Promise.all([
          failure(typed(`http://127.0.0.1:${port}`)),
          failure(wyoming(`127.0.0.1:${port}`)),
        ]);
        assert.equal(http, NO_ANSWER);
        assert.equal(wyomingServer, NO_ANSWER.replace('Base URL', 'Address'));
      },
    );
  });

  const wyoming = (address: string) => ({ typed: { service: 'wyoming', address } });

  it('a closed port', async () => {
    const text = 'the connection was refused. Start the service there, or correct host and port.';
    assert.equal(await failure(typed('http://127.0.0.1:9')), `Base URL: ${text}`);
    assert.equal(await failure(wyoming('127.0.0.1:9')), `Address: ${text}`);
  });

  it('an unknown host', async () => {
    const text = 'the host name was not found. Correct it, or enter the IP address of the host.';
    assert.equal(await failure(typed('http://nobody.invalid')), `Base URL: ${text}`);
    assert.equal(await failure(wyoming('nobody.invalid')), `Address: ${text}`);
  });

  it('a missing key of an OpenAI-compatible service', () =>
    withServer(
      () => ({ status: 401, body: {} }),
      async ({ url }) =>
        assert.equal(
          await failure({ typed: { service: 'openai', url, apiKey: '' } }),
          'API key: the service needs a key (401). Enter its key.',
        ),
    ));

  it('a balance of zero as a result, not as a failure', () => {
    const script: Script = (request, index) =>
      request.path === '/v1/credits' ? { body: { balance: 0 } } : goodService(request, index);
    return withServer(script, async ({ url }) => {
      const { json } = await ask(nodeRed().url, 'test', typed(url));
      assert.deepEqual([json['balance'], json['error']], [0, undefined]);
    });
  });
});
