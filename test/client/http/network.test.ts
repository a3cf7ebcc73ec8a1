import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { type Client, type ClientOptions, createClient, SpeechError } from '../../../client/index.js';
import { getCredits } from '../../../client/interface/operations.js';
import { KEY, withClient } from '../../support/service/client-for.js';
import { withFault } from '../../support/net/fault-server.js';
import { selfSigned, withEnvironment, withProxy, withSecureServer } from '../../support/net/proxy.js';
import { rejection } from '../../support/rejection.js';
import { withServer } from '../../support/net/scripted-server.js';

const balance = () => ({ body: { balance: 7 } });
/** A host name that DNS cannot resolve, so that only a request through a proxy succeeds. */
const FAR = 'speech.example.test';
/** A password that no error may show. */
const SECRET = 'pass-word/of+proxy';

const nowhere = {
  http_proxy: '',
  https_proxy: '',
  HTTP_PROXY: '',
  HTTPS_PROXY: '',
  no_proxy: '',
  NO_PROXY: '',
};
/** Removes the proxy settings of the test run. */
const clean = Object.fromEntries(Object.keys(nowhere).map((name) => [name, undefined]));

const ask = (options: Partial<ClientOptions> & { url: string }) =>
  withEnvironment(clean, () =>
    withClient(options, async (client) => (await client.call(getCredits, {})).balance),
  );
const askIn = (environment: Record<string, string>, url: string) =>
  withEnvironment({ ...clean, ...environment }, () =>
    withClient({ url }, async (client) => (await client.call(getCredits, {})).balance),
  );
const failing = (options: Partial<ClientOptions> & { url: string }) =>
  rejection(ask({ attempts: 1, ...options }));

const withPassword = (url: string, password = SECRET) =>
  url.replace('://', `://me:${encodeURIComponent(password)}@`);

/** The error message of `createClient` with these options. */
function refusal(options: Partial<ClientOptions>): string {
  try {
    const client: Client = createClient({ url: `https://${FAR}`, apiKey: KEY, ...options });
    void client.close();
  } catch (error) {
    assert.ok(error instanceof SpeechError && error.code === 'not-configured');
    assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(SECRET), 'the secret is shown');
    return error.message;
  }
  return assert.fail('the client was created');
}

describe('a service behind a proxy', () => {
  it('is reached through the given proxy, over HTTP and HTTPS', () =>
    withServer(balance, ({ port, requests }) =>
      withProxy({ to: port }, async ({ url, asked }) => {
        assert.equal(await ask({ url: `http://${FAR}`, proxy: url }), 7);
        assert.deepEqual(asked, [`${FAR}:80`]);
        assert.equal(requests[0]?.headers.host, FAR);
        assert.equal(requests[0]?.headers['proxy-authorization'], undefined);
        await withSecureServer(balance, (secure) =>
          withProxy({ to: secure.port }, async (second) => {
            const tls = { ca: selfSigned, servername: 'localhost' };
            assert.equal(await ask({ url: `https://${FAR}`, proxy: second.url, tls }), 7);
            assert.deepEqual(second.asked, [`${FAR}:443`]);
          }),
        );
      }),
    ));

  it('is reached through an HTTPS proxy', () =>
    withServer(balance, ({ port }) =>
      withProxy({ to: port, secure: true }, async ({ url, asked }) => {
        assert.equal(await ask({ url: `http://${FAR}`, proxy: url, tls: { ca: selfSigned } }), 7);
        // `servername` is the name in the service's certificate. It must not apply to the proxy.
        const tls = { ca: selfSigned, servername: 'speech.test' };
        assert.equal(await ask({ url: `http://${FAR}`, proxy: url, tls }), 7);
        assert.equal(asked.length, 2);
        const error = await failing({ url: `http://${FAR}`, proxy: url });
        assert.equal(error.code, 'insecure-connection');
        assert.match(error.message, /^the proxy: the certificate is not trusted/);
      }),
    ));

  it('never receives the user name and password of the proxy', () =>
    withServer(balance, ({ port, requests }) =>
      withProxy({ to: port, credentials: `me:${SECRET}` }, async ({ url }) => {
        const proxy = withPassword(url);
        assert.equal(await ask({ url: `http://${FAR}`, proxy }), 7);
        assert.ok(!inspect(requests, { depth: 9 }).includes('proxy-authorization'));
      }),
    ));

  for (const [what, password] of Object.entries({
    'a wrong password': SECRET,
    'a missing password': undefined,
  })) {
    it(`is not-configured after ${what} for the proxy, and the error does not show the password`, () =>
      withServer(balance, ({ port, requests }) =>
        withProxy({ to: port, credentials: 'me:right' }, async ({ url }) => {
          const proxy = password === undefined ? url : withPassword(url, password);
          const error = await failing({ url: `http://${FAR}`, proxy, attempts: 3 });
          assert.deepEqual([error.code, error.route, error.attempts], ['not-configured', 'fatal', 1]);
          assert.match(
            error.message,
            /^the proxy refused the user name or password \(407\): enter valid ones$/,
          );
          const shown = inspect(error, { depth: 9, showHidden: true });
          const encoded = Buffer.from(`me:${SECRET}`).toString('base64');
          assert.ok(!shown.includes(SECRET) && !shown.includes(encoded));
          assert.equal(requests.length, 0);
        }),
      ));
  }

  const refusals: [status: number, code: string, says: RegExp][] = [
    [403, 'not-configured', /the proxy refused the connection to the service \(403\)/],
    [502, 'no-connection', /the proxy cannot reach the service \(502\)/],
    [504, 'no-connection', /the proxy cannot reach the service \(504\)/],
  ];
  for (const [status, code, says] of refusals) {
    it(`is ${code} if the proxy replies ${status}`, () =>
      withProxy({ to: 9, refusal: status }, async ({ url }) => {
        const error = await failing({ url: `http://${FAR}`, proxy: url });
        assert.equal(error.code, code);
        assert.match(error.message, says);
      }));
  }

  it('is no-connection after retries if the proxy refuses connections', () =>
    withFault('connection refused', async ({ url }) => {
      const error = await failing({
        url: `http://${FAR}`,
        proxy: withPassword(url),
        attempts: 3,
      });
      assert.deepEqual([error.code, error.attempts], ['no-connection', 3]);
      assert.equal(
        error.message,
        'the proxy: connection refused: nothing listens at this address (ECONNREFUSED); address: http://speech.example.test',
      );
      assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(SECRET));
    }));

  it('is retryable if the proxy never replies', () =>
    withFault('no answer', async ({ url }) => {
      const error = await failing({ url: `http://${FAR}`, proxy: url, connectTimeout: 1000 });
      assert.equal(error.route, 'retryable');
      // A timeout of the connection has another code.
      assert.match(error.message, /UND_ERR_HEADERS_TIMEOUT/);
    }));

  it('is reached directly on loopback addresses', () =>
    withServer(balance, async ({ url, port }) =>
      withProxy({ to: 9 }, async (proxy) => {
        for (const host of ['127.0.0.1', 'localhost'])
          assert.equal(await ask({ url: url.replace('127.0.0.1', host), proxy: proxy.url }), 7);
        assert.equal(await askIn({ HTTP_PROXY: proxy.url }, `http://127.0.0.1:${port}`), 7);
        assert.deepEqual(proxy.asked, []);
      }),
    ));

  for (const proxy of [
    'socks5://proxy.test',
    'http://',
    `http://me:${SECRET}%@proxy.test`,
    `ftp://me:${SECRET}@p`,
  ]) {
    it(`is not-configured with the proxy ${proxy.replace(SECRET, '…')}`, () => {
      assert.match(refusal({ proxy }), /^proxy: expected the URL of an HTTP or HTTPS proxy/);
    });
  }
});

describe('a proxy of the environment', () => {
  for (const name of ['http_proxy', 'HTTP_PROXY']) {
    it(`is read from ${name}, also without a scheme`, () =>
      withServer(balance, ({ port }) =>
        withProxy({ to: port }, async ({ url, asked }) => {
          await askIn({ [name]: url }, `http://${FAR}`);
          await askIn({ [name]: url.replace('http://', '') }, `http://${FAR}`);
          assert.equal(asked.length, 2);
        }),
      ));
  }

  it('is read from HTTPS_PROXY for an HTTPS service', () =>
    withSecureServer(balance, ({ port }) =>
      withProxy({ to: port }, async ({ url, asked }) => {
        const environment = { HTTPS_PROXY: url, HTTP_PROXY: 'http://127.0.0.1:9' };
        const error = await rejection(askIn(environment, `https://${FAR}`));
        assert.equal(error.code, 'insecure-connection');
        assert.deepEqual(asked, [`${FAR}:443`]);
      }),
    ));

  it('is not used for hosts in NO_PROXY and their subdomains', () =>
    withProxy({ to: 9 }, async ({ url, asked }) => {
      for (const NO_PROXY of [FAR, 'example.test', '.example.test', `other.test, ${FAR}:80`, '*']) {
        const error = await rejection(askIn({ HTTP_PROXY: url, NO_PROXY }, `http://${FAR}`));
        assert.equal(error.code, 'no-connection');
        assert.match(error.message, /^unknown host name/);
      }
      assert.deepEqual(asked, []);
    }));

  it('is not used if the client option `proxy` is set or empty', () =>
    withServer(balance, ({ port }) =>
      withProxy({ to: port }, async ({ url, asked }) => {
        const call = (options: Partial<ClientOptions>) =>
          withEnvironment({ ...clean, HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: FAR }, () =>
            withClient({ url: `http://${FAR}`, attempts: 1, ...options }, (client) =>
              client.call(getCredits, {}),
            ),
          );
        await call({ proxy: url, noProxy: '' });
        assert.equal(asked.length, 1);
        const error = await rejection(call({ proxy: '', noProxy: '' }));
        assert.match(error.message, /^unknown host name/);
        assert.equal(asked.length, 1);
      }),
    ));

  it('is rejected by variable name, without its value, if it is invalid', () =>
    withEnvironment({ ...clean, HTTPS_PROXY: `socks5://me:${SECRET}@proxy.test` }, async () => {
      assert.match(refusal({}), /^HTTPS_PROXY: expected the URL of an HTTP or HTTPS proxy/);
    }));
});

describe('a private certificate', () => {
  it('is accepted only if `tls.ca` has its authority', () =>
    withSecureServer(balance, async ({ url, requests }) => {
      const error = await failing({ url });
      assert.deepEqual([error.code, error.route], ['insecure-connection', 'fatal']);
      assert.equal(requests.length, 0);
      assert.equal(await ask({ url, tls: { ca: selfSigned } }), 7);
      assert.equal(await ask({ url, tls: { ca: [Buffer.from(selfSigned)] } }), 7);
    }));

  it('is accepted only if its name is the host or `tls.servername`', () =>
    withSecureServer(balance, async ({ url }) => {
      const wrong = await failing({ url, tls: { ca: selfSigned, servername: 'speech.test' } });
      assert.equal(wrong.code, 'insecure-connection');
      assert.equal(await ask({ url, tls: { ca: selfSigned, servername: 'localhost' } }), 7);
    }));

  it('is accepted if `tls.rejectUnauthorized` is false', () =>
    withSecureServer(balance, async ({ url }) => {
      assert.equal(await ask({ url, tls: { rejectUnauthorized: false } }), 7);
    }));

  it('is presented by the client to a service that requires one', () =>
    withSecureServer(
      balance,
      async ({ url, requests }) => {
        const tls = { ca: selfSigned, cert: selfSigned, key: selfSigned };
        assert.equal(await ask({ url, tls }), 7);
        await failing({ url, tls: { ca: selfSigned } });
        assert.equal(requests.length, 1);
      },
      { requestCert: true, rejectUnauthorized: true, ca: selfSigned },
    ));

  const encrypted = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: SECRET },
  }).privateKey;
  const wrong: [name: string, tls: object, says: RegExp][] = [
    ['a certificate without its key', { cert: selfSigned }, /^tls: cert and key must be set together$/],
    ['an invalid authority', { ca: '-----BEGIN CERTIFICATE-----\nnone' }, /^tls: .*/],
    ['an invalid key', { cert: selfSigned, key: SECRET }, /^tls: .*/],
    ['a wrong passphrase', { cert: selfSigned, key: encrypted, passphrase: `${SECRET}!` }, /^tls: .*/],
    ['a passphrase that is a number', { passphrase: 7 }, /^tls: passphrase: unknown option or wrong type$/],
    ['an unknown option', { pfx: SECRET }, /^tls: pfx: unknown option or wrong type$/],
  ];
  for (const [name, tls, says] of wrong) {
    it(`is rejected by createClient: ${name}`, () =>
      withEnvironment(clean, async () => assert.match(refusal({ tls }), says)));
  }
});

describe('a client', () => {
  it('shows neither its proxy password nor its TLS key when printed', async () => {
    const client = createClient({
      url: `http://${FAR}`,
      apiKey: KEY,
      proxy: withPassword('http://proxy.test'),
      tls: { cert: selfSigned, key: selfSigned, passphrase: SECRET },
    });
    const shown = inspect(client, { depth: 20, showHidden: true });
    assert.ok(!shown.includes(SECRET) && !shown.includes('PRIVATE KEY'));
    await client.close();
  });
});
