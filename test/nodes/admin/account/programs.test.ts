import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createClient } from '@herald-speech/client';
import { newProgramKey } from '../../../../nodes/admin/account/programs.js';
import { withServer } from '../../../support/net/scripted-server.js';
import { logIn, type NodeRed, startNodeRed } from '../../../support/node-red/node-red.js';
import { ask, failureOf } from '../asking.js';
import { password, settingsWith } from '../users.js';

const users = {
  admin: '*',
  reader: ['herald.read'],
  player: ['herald.read', 'herald.write'],
};
const local = { typed: { service: 'local' } };
const bodies: Record<string, object> = {
  programs: { typed: { programs: 'computer' } },
  'programs/key': { account: 'account' },
  'programs/create-key': local,
};

describe('admin endpoints of other programs', () => {
  let nodeRed: NodeRed;
  const tokens = new Map<string, string>();
  before(async function () {
    nodeRed = await startNodeRed([], {
      settings: settingsWith(users),
      user: { username: 'admin', password },
    });
    for (const username of Object.keys(users))
      tokens.set(username, await logIn(nodeRed.url, { username, password }));
  });
  after(() => nodeRed?.stop());
  const as = (user: string, name: string, body: object = bodies[name] ?? {}) =>
    ask(nodeRed.url, name, body, tokens.get(user));

  for (const name of Object.keys(bodies))
    it(`${name}: returns 401 to a user without a login, and to a user who may only read`, async () => {
      assert.equal((await ask(nodeRed.url, name, bodies[name] ?? {})).status, 401);
      assert.equal((await as('reader', name)).status, 401);
    });

  it('give a key only to a user who may write flows', async () => {
    for (const name of ['programs/key', 'programs/create-key'])
      assert.equal((await as('player', name)).status, 401, name);
  });

  it('name the fix if the account has no key', async () => {
    assert.match(failureOf(await as('admin', 'programs/key')).message, /no saved key.*press “New key”/);
  });

  it('listen at typed ports only for a user who may write flows', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    assert.ok(typeof address === 'object' && address !== null);
    const typed = { programs: 'computer', programsPort: String(address.port) };
    const problemsFor = async (user: string) => (await as(user, 'programs', { typed })).json['problems'];
    try {
      assert.deepEqual(await problemsFor('player'), {});
      assert.match(JSON.stringify(await problemsFor('admin')), /programsPort.*another program uses it/);
    } finally {
      taken.close();
    }
  });

  it('name the addresses of typed ports, and nothing without access', async () => {
    const typed = { programs: 'computer', programsPort: '17800', wyoming: 'true' };
    const { json } = await as('player', 'programs', { typed });
    assert.deepEqual(json, {
      url: 'http://127.0.0.1:17800/v1',
      wyoming: 'tcp://127.0.0.1:10200',
      problems: {},
    });
    assert.deepEqual((await as('player', 'programs', { typed: { programs: 'off' } })).json, {});
    const same = { typed: { ...typed, wyomingPort: '17800' } };
    assert.match(failureOf(await as('player', 'programs', same)).message, /expected another port/);
  });
});

describe('a new key for other programs', () => {
  it('is requested once if its reply is lost, so that no unseen key stays in the service', () =>
    withServer(
      () => ({ lost: true }),
      async ({ url, requests }) => {
        const client = createClient({ url, apiKey: 'key' });
        const failure = newProgramKey(client, new AbortController().signal);
        await assert.rejects(failure, { code: 'no-reply' });
        await client.close();
        assert.equal(requests.length, 1);
      },
    ));
});
