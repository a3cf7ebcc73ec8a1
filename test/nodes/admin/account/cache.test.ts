import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createClient, z } from '@herald-speech/client';
import { logIn, type NodeRed, startNodeRed } from '../../../support/node-red/node-red.js';
import { spoken, withServer } from '../../../support/net/scripted-server.js';
import { password, settingsWith } from '../users.js';

const users = {
  writer: ['herald.read', 'herald.write', 'flows.read', 'flows.write'],
  reader: ['herald.read'],
  stranger: ['flows.read'],
};
const settings = settingsWith(users);
const reply = z.object({
  folder: z.string().nullable(),
  bytes: z.number(),
  entries: z.number(),
  savedSeconds: z.number(),
});

describe('the admin endpoints of the cache', () => {
  let nodeRed: NodeRed;
  let folder = '';
  const former = process.env['HERALD_CACHE'];
  const tokens = new Map<string, string>();

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-admin-'));
    process.env['HERALD_CACHE'] = path.join(folder, 'cache');
    nodeRed = await startNodeRed([], { settings, user: { username: 'writer', password } });
    process.env['HERALD_CACHE'] = former;
    for (const username of Object.keys(users))
      tokens.set(username, await logIn(nodeRed.url, { username, password }));
  });
  after(async () => {
    await nodeRed?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => rm(path.join(folder, 'cache'), { recursive: true, force: true }));

  const ask = (user: string, method: 'GET' | 'POST', headers: Record<string, string> = {}) => {
    const route = method === 'GET' ? 'herald/cache' : 'herald/cache/clear';
    return fetch(`${nodeRed.url}${route}?account=kitchen`, {
      method,
      headers: {
        authorization: `Bearer ${tokens.get(user) ?? ''}`,
        ...(method === 'POST' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(method === 'POST' && { body: '{}' }),
    });
  };

  /** Speaks twice with the account "kitchen" in another process than Node-RED, into the same folder. */
  const speakTwice = () =>
    withServer(
      () => spoken({ seconds: 0.5 }),
      async ({ url }) => {
        const cache = { folder: path.join(folder, 'cache'), account: 'kitchen' };
        const client = createClient({ url, apiKey: 'key', cache });
        const request = { voice_id: 'v1', text: 'Dinner is ready.', language: 'en' };
        for (let count = 0; count < 2; count += 1) await client.speak(request);
        await client.close();
      },
    );

  it('return the size of the cache and the saved seconds of an account, and clear the cache', async () => {
    const empty = { folder: path.join(folder, 'cache'), bytes: 0, entries: 0, savedSeconds: 0 };
    assert.deepEqual(reply.parse(await (await ask('reader', 'GET')).json()), empty);
    await speakTwice();
    const filled = reply.parse(await (await ask('reader', 'GET')).json());
    assert.deepEqual(filled, { ...empty, bytes: 12_288, entries: 1, savedSeconds: 0.5 });
    const cleared = reply.parse(await (await ask('writer', 'POST')).json());
    assert.deepEqual(cleared, { ...empty, savedSeconds: 0.5 });
  });

  it('refuse users without permission, and pages of other sites', async () => {
    const site = { 'sec-fetch-site': 'cross-site' };
    assert.equal((await ask('stranger', 'GET')).status, 401);
    assert.equal((await ask('reader', 'POST')).status, 401);
    assert.equal((await ask('writer', 'GET', site)).status, 403);
    assert.equal((await ask('writer', 'POST', site)).status, 403);
    assert.equal((await ask('writer', 'POST', { 'content-type': 'text/plain' })).status, 415);
  });

  it('return an error that names the folder and the problem if a file is in its place', async () => {
    await writeFile(path.join(folder, 'cache'), '');
    const { error } = z
      .object({ error: z.object({ code: z.string(), message: z.string() }) })
      .parse(await (await ask('reader', 'GET')).json());
    assert.equal(error.code, 'not-configured');
    assert.ok(error.message.includes(path.join(folder, 'cache')), error.message);
    assert.match(error.message, /contains a file in the place of a folder/);
  });
});
