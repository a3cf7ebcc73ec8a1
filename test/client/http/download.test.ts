import assert from 'node:assert/strict';
import type { ClientOptions } from '../../../client/index.js';
import { KEY, withClient } from '../../support/client-for.js';
import { selfSigned, withEnvironment, withProxy, withSecureServer } from '../../support/proxy.js';
import { rejection } from '../../support/rejection.js';
import { type Script, withServer } from '../../support/scripted-server.js';

const SERVICE = 'http://speech.example.test';
const NO_PROXY_VARIABLES = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'].map((name) => [
    name,
    undefined,
  ]),
);
const file: Script = ({ path }) => ({ body: Buffer.from(`the file at ${path}`) });

const download = (
  address: string,
  { url = SERVICE, ...options }: Partial<ClientOptions> = {},
  limits: { timeout?: number; maxBytes?: number } = {},
): Promise<string> =>
  withEnvironment(NO_PROXY_VARIABLES, () =>
    withClient({ url, ...options }, async (client) => String(await client.download(address, limits))),
  );
const failure = (...args: Parameters<typeof download>) => rejection(download(...args));

describe('a file that a service named', () => {
  it('is fetched from where it says, without the key', () =>
    withServer(file, async ({ url, requests }) => {
      assert.equal(await download(`${url}/a.wav?b=c#d`, { url }), 'the file at /a.wav');
      assert.equal(requests[0]?.query.get('b'), 'c');
      assert.ok(!JSON.stringify(requests[0]?.headers).includes(KEY));
    }));

  it('is fetched through the proxy of the service, wherever it is', () =>
    withServer(file, ({ port }) =>
      withProxy({ to: port, credentials: 'me:secret' }, async ({ url, asked }) => {
        const proxy = url.replace('://', '://me:secret@');
        assert.equal(await download('http://files.example.test/a.wav', { proxy }), 'the file at /a.wav');
        assert.deepEqual(asked, ['files.example.test:80']);
      }),
    ));

  it('is trusted where the service is, on another host too', () =>
    withSecureServer(file, async ({ url }) => {
      const address = `${url.replace('127.0.0.1', 'localhost')}/a.wav`;
      assert.equal(await download(address, { url, tls: { ca: selfSigned } }), 'the file at /a.wav');
      assert.equal((await failure(address, { url })).code, 'insecure-connection');
    }));

  it('is never asked for with the certificate that is for the service alone', () =>
    withSecureServer(
      file,
      async ({ url }) => {
        const tls = { ca: selfSigned, cert: selfSigned, key: selfSigned };
        assert.equal(await download(`${url}/a.wav`, { url, tls }), 'the file at /a.wav');
        const elsewhere = `${url.replace('127.0.0.1', 'localhost')}/a.wav`;
        assert.match((await failure(elsewhere, { url, tls })).code, /no-reply|insecure-connection/);
      },
      { requestCert: true, rejectUnauthorized: true, ca: selfSigned },
    ));

  it('leads nowhere else', () =>
    withServer(
      () => ({ status: 302, headers: { location: '/secret' } }),
      async ({ url, requests }) => {
        assert.equal((await failure(`${url}/a.wav`)).code, 'bad-reply');
        assert.deepEqual(
          requests.map(({ path }) => path),
          ['/a.wav'],
        );
      },
    ));

  it('may be gone', () =>
    withServer(
      () => ({ status: 404 }),
      async ({ url }) => assert.equal((await failure(`${url}/a.wav`)).code, 'not-found'),
    ));

  it('is let go as soon as it is larger than it may be', () =>
    withServer(
      () => ({ body: Buffer.alloc(100_000) }),
      async ({ url }) => {
        const { code, message } = await failure(`${url}/a.wav`, {}, { maxBytes: 99_999 });
        assert.deepEqual([code, message], ['bad-reply', 'the reply is larger than 99999 bytes']);
      },
    ));

  it('is let go when it takes too long', () =>
    withServer(
      () => new Promise(() => undefined),
      async ({ url }) => {
        assert.equal((await failure(`${url}/a.wav`, {}, { timeout: 50 })).code, 'timed-out');
      },
    ));

  for (const address of ['file:///etc/passwd', 'data:audio/wav;base64,AA==', '/a.wav', '']) {
    it(`is not looked for at ${address || 'no address'}`, async () => {
      assert.equal((await failure(address)).message, 'its address is not one of the web');
    });
  }

  it('is not fetched any more once the client is closed', () =>
    withServer(file, ({ url, requests }) =>
      withClient({ url }, async (client) => {
        await client.close();
        assert.equal((await rejection(client.download(`${url}/a.wav`))).code, 'aborted');
        assert.equal(requests.length, 0);
      }),
    ));
});
