import assert from 'node:assert/strict';
import type { ClientOptions } from '../../../client/index.js';
import { KEY, withClient } from '../../support/service/client-for.js';
import { selfSigned, withEnvironment, withProxy, withSecureServer } from '../../support/net/proxy.js';
import { rejection } from '../../support/rejection.js';
import { type Script, withServer } from '../../support/net/scripted-server.js';

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

describe('client.download', () => {
  it('fetches the URL without the key', () =>
    withServer(file, async ({ url, requests }) => {
      assert.equal(await download(`${url}/a.wav?b=c#d`, { url }), 'the file at /a.wav');
      assert.equal(requests[0]?.query.get('b'), 'c');
      assert.ok(!JSON.stringify(requests[0]?.headers).includes(KEY));
    }));

  it('uses the proxy of the service for any host', () =>
    withServer(file, ({ port }) =>
      withProxy({ to: port, credentials: 'me:secret' }, async ({ url, asked }) => {
        const proxy = url.replace('://', '://me:secret@');
        assert.equal(await download('http://files.example.test/a.wav', { proxy }), 'the file at /a.wav');
        assert.deepEqual(asked, ['files.example.test:80']);
      }),
    ));

  it('trusts the certificate authority of the service on any host', () =>
    withSecureServer(file, async ({ url }) => {
      const address = `${url.replace('127.0.0.1', 'localhost')}/a.wav`;
      assert.equal(await download(address, { url, tls: { ca: selfSigned } }), 'the file at /a.wav');
      assert.equal((await failure(address, { url })).code, 'insecure-connection');
    }));

  it('presents the client certificate only to the service', () =>
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

  it('rejects with bad-reply instead of following a redirect', () =>
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

  it('rejects with not-found after a 404', () =>
    withServer(
      () => ({ status: 404 }),
      async ({ url }) => assert.equal((await failure(`${url}/a.wav`)).code, 'not-found'),
    ));

  it('rejects with bad-reply if the file exceeds `maxBytes`', () =>
    withServer(
      () => ({ body: Buffer.alloc(100_000) }),
      async ({ url }) => {
        const { code, message } = await failure(`${url}/a.wav`, {}, { maxBytes: 99_999 });
        assert.deepEqual([code, message], ['bad-reply', 'the reply is larger than 99999 bytes']);
      },
    ));

  it('rejects with timed-out after `timeout`', () =>
    withServer(
      () => new Promise(() => undefined),
      async ({ url }) => {
        assert.equal((await failure(`${url}/a.wav`, {}, { timeout: 50 })).code, 'timed-out');
      },
    ));

  for (const address of ['file:///etc/passwd', 'data:audio/wav;base64,AA==', '/a.wav', '']) {
    it(`rejects ${address || 'an empty address'}`, async () => {
      assert.equal((await failure(address)).message, 'the file address is not an HTTP or HTTPS URL');
    });
  }

  it('rejects with aborted after the client is closed', () =>
    withServer(file, ({ url, requests }) =>
      withClient({ url }, async (client) => {
        await client.close();
        assert.equal((await rejection(client.download(`${url}/a.wav`))).code, 'aborted');
        assert.equal(requests.length, 0);
      }),
    ));
});
