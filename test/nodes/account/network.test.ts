import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import {
  type Flow,
  type FlowNode,
  hostedAccount,
  KEY,
  speechNode,
  watchers,
  withFlow,
} from '../../support/node-red/flow.js';
import { errorOf } from '../../support/node-red/messages.js';
import { selfSigned, withEnvironment, withProxy, withSecureServer } from '../../support/net/proxy.js';
import { type ScriptedServer, withServer } from '../../support/net/scripted-server.js';

const core = ['network/05-tls.js', 'network/06-httpproxy.js'];
const FAR = 'http://speech.example.test';
const SECRET = 'pass/word@of:proxy%';
const balance = () => ({ body: { balance: 7 } });

const clean = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'].map((name) => [
    name,
    undefined,
  ]),
);

interface Setting {
  account: FlowNode;
  others?: FlowNode[];
  credentials?: Record<string, object>;
  settings?: object;
  environment?: Record<string, string>;
}

/** Runs `work` with a credits node whose account has these network settings. */
const withCredits = (
  { account, others = [], credentials = {}, settings = {}, environment = {} }: Setting,
  work: (flow: Flow) => Promise<void>,
) =>
  withEnvironment({ ...clean, ...environment }, () =>
    withFlow([account, ...others, speechNode('credits'), ...watchers], work, {
      core,
      settings,
      credentials: { account: { apiKey: KEY }, ...credentials },
    }),
  );

const balanceOf = async (flow: Flow) => {
  flow.send('node', {});
  return (await flow.out('done')).payload;
};
const failureOf = async (flow: Flow, port: string) => {
  flow.send('node', {});
  return errorOf(await flow.out(port));
};

/** A proxy node of Node-RED, in its saved form. */
const proxyNode = (url: string, more: object = {}): FlowNode => ({
  id: 'proxy',
  type: 'http proxy',
  name: '',
  url,
  noproxy: [],
  ...more,
});
const tlsNode = (more: object = {}): FlowNode => ({
  id: 'tls',
  type: 'tls-config',
  name: '',
  cert: '',
  key: '',
  ca: '',
  verifyservercert: true,
  ...more,
});

describe('an account with an "http proxy" node', () => {
  const account = hostedAccount(FAR, { proxy: 'proxy' });
  const behindProxy = (
    credentials: string,
    work: (url: string, asked: string[], server: ScriptedServer) => Promise<void>,
  ) =>
    withServer(balance, (server) =>
      withProxy({ to: server.port, credentials }, ({ url, asked }) => work(url, asked, server)),
    );

  it('sends requests through the proxy with its credentials', () =>
    behindProxy(`me:${SECRET}`, (url, asked) =>
      withCredits(
        {
          account,
          others: [proxyNode(url)],
          credentials: { proxy: { username: 'me', password: SECRET } },
          environment: { HTTP_PROXY: 'http://127.0.0.1:9' },
        },
        async (flow) => {
          assert.equal(await balanceOf(flow), 7);
          assert.deepEqual(asked, ['speech.example.test:80']);
        },
      ),
    ));

  it('reports wrong proxy credentials without showing them', () =>
    behindProxy('me:right', (url) =>
      withCredits(
        {
          account,
          others: [proxyNode(url)],
          credentials: { proxy: { username: 'me', password: SECRET } },
        },
        async (flow) => {
          const error = await failureOf(flow, 'fatal');
          assert.match(error.message, /^the proxy refused the user name or password/);
          const shown = inspect([error, flow.logged(), flow.received('status-of')], { depth: 9 });
          assert.ok(!shown.includes(SECRET) && !shown.includes(encodeURIComponent(SECRET)));
        },
      ),
    ));

  it('sends requests to the hosts in `noproxy` directly', () =>
    behindProxy('', (url, asked) =>
      withCredits({ account, others: [proxyNode(url, { noproxy: ['example.test'] })] }, async (flow) => {
        assert.match((await failureOf(flow, 'retryable')).message, /^unknown host name/);
        assert.deepEqual(asked, []);
      }),
    ));

  for (const [what, others] of Object.entries({
    missing: [],
    disabled: [proxyNode('http://127.0.0.1:9', { d: true })],
    'of another node type': [tlsNode({ id: 'proxy' })],
  })) {
    it(`sends the message to fatal if the proxy node is ${what}`, () =>
      withCredits({ account, others }, async (flow) => {
        const { code, message } = await failureOf(flow, 'fatal');
        assert.equal(code, 'not-configured');
        assert.match(message, /^account: the selected proxy is missing, disabled/);
      }));
  }

  it('sends the message to fatal if the proxy has an invalid URL', () =>
    withCredits({ account, others: [proxyNode('http://')] }, async (flow) => {
      assert.match((await failureOf(flow, 'fatal')).message, /^proxy: expected the URL of an HTTP or HTTPS/);
    }));
});

describe('an account without a proxy node', () => {
  const account = hostedAccount(FAR);

  it('uses the proxy of the environment', () =>
    withServer(balance, ({ port }) =>
      withProxy({ to: port }, ({ url, asked }) =>
        withCredits({ account, environment: { HTTP_PROXY: url } }, async (flow) => {
          assert.equal(await balanceOf(flow), 7);
          assert.equal(asked.length, 1);
        }),
      ),
    ));

  it("prefers the proxy of Node-RED's settings to the proxy of the environment", () =>
    withServer(balance, ({ port }) =>
      withProxy({ to: port }, ({ url, asked }) =>
        withCredits(
          {
            account,
            settings: { proxyOptions: { env: { HTTP_PROXY: url } } },
            environment: { HTTP_PROXY: 'http://127.0.0.1:9' },
          },
          async (flow) => {
            assert.equal(await balanceOf(flow), 7);
            assert.equal(asked.length, 1);
          },
        ),
      ),
    ));
});

describe('an account with a "tls-config" node', () => {
  const trusting = { credentials: { tls: { cadata: selfSigned } } };

  it('trusts the certificate authority of the node, and no other private authority', () =>
    withSecureServer(balance, async ({ url }) => {
      const account = hostedAccount(url, { tls: 'tls' });
      await withCredits({ account, others: [tlsNode()], ...trusting }, async (flow) => {
        assert.equal(await balanceOf(flow), 7);
      });
      await withCredits({ account, others: [tlsNode()] }, async (flow) => {
        assert.equal((await failureOf(flow, 'fatal')).code, 'insecure-connection');
      });
    }));

  it('presents the certificate of the node to a service that requires one', () =>
    withSecureServer(
      balance,
      ({ url }) =>
        withCredits(
          {
            account: hostedAccount(url, { tls: 'tls' }),
            others: [tlsNode({ servername: 'localhost' })],
            credentials: { tls: { cadata: selfSigned, certdata: selfSigned, keydata: selfSigned } },
          },
          async (flow) => assert.equal(await balanceOf(flow), 7),
        ),
      { requestCert: true, rejectUnauthorized: true, ca: selfSigned },
    ));

  it('accepts any certificate if the node does not verify', () =>
    withSecureServer(balance, ({ url }) =>
      withCredits(
        { account: hostedAccount(url, { tls: 'tls' }), others: [tlsNode({ verifyservercert: false })] },
        async (flow) => assert.equal(await balanceOf(flow), 7),
      ),
    ));

  for (const [what, others] of Object.entries({
    missing: [],
    'unable to read its files': [tlsNode({ ca: '/nowhere/ca.pem' })],
  })) {
    it(`sends the message to fatal without a request if the node is ${what}`, () =>
      withSecureServer(balance, ({ url, requests }) =>
        withCredits({ account: hostedAccount(url, { tls: 'tls' }), others }, async (flow) => {
          const { code, message } = await failureOf(flow, 'fatal');
          assert.equal(code, 'not-configured');
          assert.match(message, /^account: the selected TLS configuration is missing, disabled, incomplete/);
          assert.equal(requests.length, 0);
        }),
      ));
  }
});
