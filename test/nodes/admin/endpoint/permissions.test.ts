import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { z } from '@herald-speech/client';
import { type FlowNode, logIn, type NodeRed, startNodeRed } from '../../../support/node-red/node-red.js';
import { type Seen, withServer } from '../../../support/net/scripted-server.js';
import { ask, failureOf, goodService, requests, WRITES } from '../asking.js';
import { password, settingsWith } from '../users.js';

const KEY = 'sk-Nobody/may+see=this';
const users = {
  admin: '*',
  reader: ['herald.read'],
  writer: ['herald.read', 'herald.write'],
  author: ['herald.read', 'herald.write', 'flows.write'],
  stranger: ['flows.read'],
};
const settings = settingsWith(users);
const account = (url: string): FlowNode => ({
  id: 'account',
  type: 'herald-account',
  service: 'hosted',
  url,
  voice_id: 'anna',
  language: 'en',
  requestsPerMinute: '10000',
  credentials: { apiKey: KEY },
});
const keyOf = ({ headers }: Seen) => headers['x-sup-api-key'];

describe('admin endpoints of an editor with users', () => {
  let nodeRed: NodeRed;
  const tokens = new Map<string, string>();

  before(async function () {
    nodeRed = await startNodeRed([], { settings, user: { username: 'admin', password } });
    for (const username of Object.keys(users))
      tokens.set(username, await logIn(nodeRed.url, { username, password }));
  });
  after(() => nodeRed?.stop());

  const as = (user: string, name: string, body: object) => ask(nodeRed.url, name, body, tokens.get(user));

  for (const [name, request] of Object.entries(requests)) {
    it(`${name}: returns 401 without a valid token or permission, and sends no request`, () =>
      withServer(goodService, async ({ url, requests: seen }) => {
        await nodeRed.deploy([account(url)]);
        const body = { account: 'account', ...request };
        assert.equal((await ask(nodeRed.url, name, body)).status, 401);
        assert.equal((await ask(nodeRed.url, name, body, 'made-up')).status, 401);
        assert.equal((await as('stranger', name, body)).status, 401);
        assert.deepEqual(seen, []);
      }));

    it(`${name}: uses the deployed account with its stored key, and never returns the key`, () =>
      withServer(goodService, async ({ url, requests: seen }) => {
        await nodeRed.deploy([account(url)]);
        const answer = await as('writer', name, { account: 'account', ...request });
        assert.equal(answer.status, 200);
        assert.ok(!('error' in answer.json), answer.text);
        assert.ok(!answer.text.includes(KEY));
        assert.equal(keyOf(seen[0] ?? assert.fail('no request')), KEY);
      }));

    it(`${name}: uses a typed base URL only for a user who may write flows`, () =>
      withServer(goodService, async ({ url, requests: seen }) => {
        const body = { typed: { service: 'hosted', url, apiKey: 'typed' }, ...request };
        for (const user of ['reader', 'writer']) assert.equal((await as(user, name, body)).status, 401);
        assert.deepEqual(seen, []);
        assert.equal((await as('author', name, body)).status, 200);
        assert.notEqual(seen.length, 0);
      }));
  }

  it('allow a user with read permission all endpoints that change nothing and cost nothing', () =>
    withServer(goodService, async ({ url }) => {
      await nodeRed.deploy([account(url)]);
      for (const [name, request] of Object.entries(requests)) {
        const { status } = await as('reader', name, { account: 'account', ...request });
        assert.equal(status, WRITES.includes(name) ? 401 : 200, name);
      }
    }));

  it('show announcements to users with read permission, and let users with write permission stop them', async () => {
    const send = async (user: string, route: string, method: string) => {
      const headers = { authorization: `Bearer ${tokens.get(user)}`, 'content-type': 'application/json' };
      const body = method === 'POST' ? { body: '{"id":1,"node":"none"}' } : {};
      return (await fetch(`${nodeRed.url}herald/activity${route}`, { method, headers, ...body })).status;
    };
    for (const route of ['', '/accounts', '/audio?id=1']) {
      const statuses = ['stranger', 'reader'].map((user) => send(user, route, 'GET'));
      assert.deepEqual(await Promise.all(statuses), [401, 200], route);
    }
    for (const route of ['/stop', '/clear']) {
      const statuses = ['stranger', 'reader', 'writer'].map((user) => send(user, route, 'POST'));
      assert.deepEqual(await Promise.all(statuses), [401, 401, 200], route);
    }
  });

  for (const apiKey of ['__PWRD__', '', undefined]) {
    it(`never send the stored key to a typed base URL (key in the dialog: ${JSON.stringify(apiKey)})`, () =>
      withServer(goodService, (saved) =>
        withServer(goodService, async (typed) => {
          await nodeRed.deploy([account(saved.url)]);
          const values = { service: 'hosted', url: typed.url, ...(apiKey !== undefined && { apiKey }) };
          for (const [name, request] of Object.entries(requests)) {
            const answer = await as('writer', name, { account: 'account', typed: values, ...request });
            assert.equal(failureOf(answer).code, 'not-configured', name);
            assert.match(failureOf(answer).message, /deployed address/);
          }
          assert.deepEqual(typed.requests, []);
          assert.deepEqual(saved.requests, []);
        }),
      ));
  }

  it('use the stored key if the dialog still has the saved base URL', () =>
    withServer(goodService, async ({ url, requests: seen }) => {
      await nodeRed.deploy([account(url)]);
      const typed = { service: 'hosted', url: `${url} `, apiKey: '__PWRD__', requestsPerMinute: '60' };
      const answer = await as('reader', 'test', { account: 'account', typed });
      assert.equal(answer.json['balance'], 120);
      assert.equal(keyOf(seen[0] ?? assert.fail('no request')), KEY);
    }));

  it('treat an account saved without a kind of service as hosted', () =>
    withServer(goodService, async ({ url, requests: seen }) => {
      const { service: _service, ...older } = account(url);
      await nodeRed.deploy([{ ...older, id: 'account', type: 'herald-account' }]);
      const typed = { version: '2', service: 'hosted', url };
      const answer = await as('reader', 'test', { account: 'account', typed });
      assert.equal(answer.json['balance'], 120);
      assert.equal(keyOf(seen[0] ?? assert.fail('no request')), KEY);
    }));

  it('never send the stored key through a typed proxy', () =>
    withServer(goodService, async ({ url, requests: seen }) => {
      await nodeRed.deploy([account(url)]);
      const typed = { service: 'hosted', url, proxy: 'another' };
      const answer = await as('writer', 'test', { account: 'account', typed });
      assert.match(failureOf(answer).message, /Proxy changed/);
      assert.deepEqual(seen, []);
    }));

  it('never send an environment variable to a typed base URL', () =>
    withServer(goodService, async ({ url, requests: seen }) => {
      const answer = await as('author', 'test', { typed: { service: 'hosted', url, apiKey: '${HOME}' } });
      assert.match(failureOf(answer).message, /environment variable/);
      assert.deepEqual(seen, []);
    }));

  it('connect to a typed Redis only for a user who may write flows', async () => {
    const typed = { service: 'hosted', url: 'http://127.0.0.1:9', apiKey: 'typed' };
    const accepted = { sockets: 0 };
    await withListener(accepted, async (port) => {
      const body = { typed: { ...typed, fleetUrl: `redis://127.0.0.1:${port}` } };
      for (const user of ['stranger', 'reader', 'writer'])
        assert.equal((await as(user, 'fleet', body)).status, 401);
      assert.equal(accepted.sockets, 0);
      assert.equal((await as('author', 'fleet', body)).status, 200);
      assert.ok(accepted.sockets > 0);
    });
  });

  for (const [field, value] of [
    ['fleetUrl', 'redis://127.0.0.1:10'],
    ['fleetUser', 'other'],
    ['fleetTls', 'other'],
  ] as const) {
    it(`never send the stored Redis password after a change of ${field}`, () =>
      withServer(goodService, async ({ url }) => {
        const saved = { service: 'hosted', url, fleetUrl: 'redis://127.0.0.1:9', fleetTls: '' };
        const credentials = { apiKey: KEY, fleetUser: 'herald', fleetPassword: 'stored' };
        await nodeRed.deploy([{ ...account(url), ...saved, credentials }]);
        const same = { apiKey: '__PWRD__', fleetUser: 'herald', fleetPassword: '__PWRD__', voice_id: 'anna' };
        const typed = { ...saved, ...same, language: 'en', requestsPerMinute: '10000', [field]: value };
        const { message } = failureOf(await as('author', 'fleet', { account: 'account', typed }));
        assert.match(message, /stored Redis password is sent only to the deployed address/);
      }));
  }

  it('never send an environment variable to a typed Redis', async () => {
    const address = { service: 'hosted', url: 'http://127.0.0.1:9', apiKey: 'typed' };
    const redis = { fleetUrl: 'redis://127.0.0.1:9', fleetPassword: '${HOME}' };
    const { message } = failureOf(await as('author', 'fleet', { typed: { ...address, ...redis } }));
    assert.match(message, /^Password is an environment variable/);
  });

  it('return a link to the console with write permission only', async () => {
    const body = { typed: { service: 'local' } };
    for (const user of ['stranger', 'reader']) assert.equal((await as(user, 'console', body)).status, 401);
    const { url } = z.object({ url: z.string() }).parse((await as('writer', 'console', body)).json);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/console#token=[\w-]{43}$/);
  });

  it('return no link of a hosted service, which could name any page', () =>
    withServer(goodService, async ({ url, requests: seen }) => {
      await nodeRed.deploy([account(url)]);
      const hosted = { typed: { service: 'hosted', url, apiKey: 'typed' } };
      for (const body of [hosted, { account: 'account' }]) {
        assert.equal((await as('author', 'console', body)).status, 400);
      }
      assert.deepEqual(seen, []);
    }));

  it('reject an account id of another node type', async () => {
    await nodeRed.deploy([{ id: 'account', type: 'tab', label: 'none', url: 'http://127.0.0.1:9' }]);
    const typed = { service: 'hosted', url: 'http://127.0.0.1:9' };
    for (const body of [{ account: 'account' }, { account: 'account', typed }, {}]) {
      assert.equal(failureOf(await as('writer', 'test', body)).code, 'not-configured');
    }
  });

  const invalid: [string, unknown][] = [
    ['an array', []],
    ['an object as account id', { account: { id: 1 } }],
    ['an object as base URL', { typed: { url: { toString: 1 } } }],
    ['a base URL of 3,000 characters', { typed: { url: 'x'.repeat(3000) } }],
  ];
  for (const [what, body] of invalid) {
    it(`return 400 for ${what}`, async () => {
      for (const name of Object.keys(requests)) {
        const reply = await as('writer', name, Object(body));
        assert.equal(reply.status, 400, name);
      }
    });
  }
});

/** Runs `work` with a server that counts connections and closes them at once. */
async function withListener(accepted: { sockets: number }, work: (port: number) => Promise<void>) {
  const server = createServer((socket) => {
    accepted.sockets += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const address = server.address();
    assert(typeof address === 'object' && address !== null);
    await work(address.port);
  } finally {
    server.close();
    await once(server, 'close');
  }
}
