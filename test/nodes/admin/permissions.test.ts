import assert from 'node:assert/strict';
import { type FlowNode, logIn, type NodeRed, startNodeRed } from '../../support/node-red.js';
import { type Seen, withServer } from '../../support/scripted-server.js';
import { ask, failureOf, goodService, requests } from './asking.js';

const KEY = 'sk-Nobody/may+see=this';
const password = 'open sesame';
/** The password as Node-RED wants it, by bcrypt. */
const hash = '$2b$04$JMfJ3ozQsxQ/6DOLEpwesOQlXWHIPKNrjoFQhnTHolKzRY3h99rS6';
const users = {
  admin: '*',
  reader: ['herald.read'],
  writer: ['herald.read', 'herald.write'],
  stranger: ['flows.read'],
};
const settings = {
  adminAuth: {
    type: 'credentials',
    users: Object.entries(users).map(([username, permissions]) => ({
      username,
      password: hash,
      permissions,
    })),
  },
};
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

describe('endpoints of the dialogs, in an editor with users', () => {
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
    it(`${name}: answers nobody without a token, and nobody without permission`, () =>
      withServer(goodService, async ({ url, requests: seen }) => {
        await nodeRed.deploy([account(url)]);
        const body = { account: 'account', ...request };
        assert.equal((await ask(nodeRed.url, name, body)).status, 401);
        assert.equal((await ask(nodeRed.url, name, body, 'made-up')).status, 401);
        assert.equal((await as('stranger', name, body)).status, 401);
        assert.deepEqual(seen, []);
      }));

    it(`${name}: answers who may, for the deployed account with its stored key, and never shows the key`, () =>
      withServer(goodService, async ({ url, requests: seen }) => {
        await nodeRed.deploy([account(url)]);
        const answer = await as('writer', name, { account: 'account', ...request });
        assert.equal(answer.status, 200);
        assert.ok(!('error' in answer.json), answer.text);
        assert.ok(!answer.text.includes(KEY));
        assert.equal(keyOf(seen[0] ?? assert.fail('nothing was asked')), KEY);
      }));

    it(`${name}: reaches no address that was typed for somebody who may only read`, () =>
      withServer(goodService, async ({ url, requests: seen }) => {
        const body = { typed: { service: 'hosted', url, apiKey: 'typed' }, ...request };
        assert.equal((await as('reader', name, body)).status, 401);
        assert.deepEqual(seen, []);
      }));
  }

  it('lets somebody who may only read look, and spend nothing', () =>
    withServer(goodService, async ({ url }) => {
      await nodeRed.deploy([account(url)]);
      for (const [name, request] of Object.entries(requests)) {
        const { status } = await as('reader', name, { account: 'account', ...request });
        assert.equal(status, name === 'speak' ? 401 : 200, name);
      }
    }));

  for (const apiKey of ['__PWRD__', '', undefined]) {
    it(`never sends the stored key to an address that was typed (key in the dialog: ${apiKey ?? 'none'})`, () =>
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

  it('takes the stored key for the saved address, as the dialog shows it', () =>
    withServer(goodService, async ({ url, requests: seen }) => {
      await nodeRed.deploy([account(url)]);
      const typed = { service: 'hosted', url: `${url} `, apiKey: '__PWRD__', requestsPerMinute: '60' };
      const answer = await as('reader', 'test', { account: 'account', typed });
      assert.equal(answer.json['balance'], 120);
      assert.equal(keyOf(seen[0] ?? assert.fail('nothing was asked')), KEY);
    }));

  it('takes an account that is older than the choice of a service as hosted, as the runtime does', () =>
    withServer(goodService, async ({ url, requests: seen }) => {
      const { service: _service, ...older } = account(url);
      await nodeRed.deploy([{ ...older, id: 'account', type: 'herald-account' }]);
      const typed = { version: '2', service: 'hosted', url };
      const answer = await as('reader', 'test', { account: 'account', typed });
      assert.equal(answer.json['balance'], 120);
      assert.equal(keyOf(seen[0] ?? assert.fail('nothing was asked')), KEY);
    }));

  it('takes no other way to the service with the stored key either, such as a proxy that was typed', () =>
    withServer(goodService, async ({ url, requests: seen }) => {
      await nodeRed.deploy([account(url)]);
      const typed = { service: 'hosted', url, proxy: 'of-somebody' };
      const answer = await as('writer', 'test', { account: 'account', typed });
      assert.match(failureOf(answer).message, /proxy changed/);
      assert.deepEqual(seen, []);
    }));

  it('hands no environment variable to an address that was typed', () =>
    withServer(goodService, async ({ url, requests: seen }) => {
      const answer = await as('writer', 'test', { typed: { service: 'hosted', url, apiKey: '${HOME}' } });
      assert.match(failureOf(answer).message, /environment variable/);
      assert.deepEqual(seen, []);
    }));

  it('does not take another node for an account', async () => {
    await nodeRed.deploy([{ id: 'account', type: 'tab', label: 'none', url: 'http://127.0.0.1:9' }]);
    const typed = { service: 'hosted', url: 'http://127.0.0.1:9' };
    for (const body of [{ account: 'account' }, { account: 'account', typed }, {}]) {
      assert.equal(failureOf(await as('writer', 'test', body)).code, 'not-configured');
    }
  });

  const senseless: [string, unknown][] = [
    ['no object', []],
    ['an account that is no text', { account: { id: 1 } }],
    ['values that are no texts', { typed: { url: { toString: 1 } } }],
    ['a value without end', { typed: { url: 'x'.repeat(3000) } }],
  ];
  for (const [what, body] of senseless) {
    it(`refuses ${what}`, async () => {
      for (const name of Object.keys(requests)) {
        const reply = await as('writer', name, Object(body));
        assert.equal(reply.status, 400, name);
      }
    });
  }
});
