import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { type FlowNode, logIn, type NodeRed, startNodeRed } from '../../support/node-red/node-red.js';
import { ask, failureOf } from './asking.js';
import { password, settingsWith } from './users.js';

const users = {
  admin: '*',
  reader: ['herald.read'],
  writer: ['herald.read', 'herald.write', 'flows.write'],
  stranger: ['flows.read'],
};
const settings = settingsWith(users);
const local = { account: '', typed: { service: 'local' } };
const plan = z.object({
  count: z.number(),
  counts: z.record(z.string(), z.number()),
  rows: z.array(z.object({ filename: z.string(), state: z.string(), problems: z.array(z.string()) })),
});
const state = z.object({ state: z.object({ phase: z.string() }).nullable() });

describe('admin endpoints of the prompts node', () => {
  let nodeRed: NodeRed;
  let home = '';
  const tokens = new Map<string, string>();
  before(async function () {
    home = await mkdtemp(path.join(tmpdir(), 'herald-prompts-admin-'));
    nodeRed = await startNodeRed([], { settings, user: { username: 'admin', password } });
    for (const username of Object.keys(users))
      tokens.set(username, await logIn(nodeRed.url, { username, password }));
  });
  after(async () => {
    await nodeRed?.stop();
    await rm(home, { recursive: true, force: true });
  });

  const as = (user: string, name: string, body: object, language?: string) =>
    ask(nodeRed.url, `prompts/${name}`, body, tokens.get(user), language);
  const node = (more: object): FlowNode => ({ id: 'prompts', type: 'herald-prompts', account: '', ...more });
  const requestOf = (more: object = {}) => ({
    ...local,
    request: { rows: [{ text: 'Hello.', filename: 'hello.wav' }], folder: path.join(home, 'new'), ...more },
  });
  const bodies: Record<string, object> = {
    plan: { ...local, request: {} },
    audio: { folder: home, filename: 'hello.wav' },
    state: { node: 'prompts' },
    run: { node: 'prompts' },
    pause: { node: 'prompts' },
    resume: { node: 'prompts' },
    stop: { node: 'prompts' },
  };

  for (const [name, body] of Object.entries(bodies)) {
    it(`${name}: returns 401 without a valid token or permission`, async () => {
      assert.equal((await ask(nodeRed.url, `prompts/${name}`, body)).status, 401);
      assert.equal((await as('stranger', name, body)).status, 401);
    });

    it(`${name}: returns 400 for a body without its fields`, async () => {
      assert.equal((await as('writer', name, {})).status, 400);
    });
  }

  it('let a user with read permission see only the state of a run', async () => {
    for (const [name, body] of Object.entries(bodies))
      assert.equal((await as('reader', name, body)).status, name === 'state' ? 200 : 401, name);
  });

  it('plan typed values without a deployed node', async () => {
    const { json } = await as('writer', 'plan', requestOf());
    assert.deepEqual(plan.parse(json).counts, { new: 1, changed: 0, unchanged: 0, wrong: 0 });
  });

  it('return the reason of a wrong row in the language of the editor', async () => {
    const rows = [
      { text: 'Hello.', filename: '../hello.wav' },
      { text: 'Hello.', filename: 'hello.wav' },
    ];
    const problems = new Set<string>();
    for (const language of ['en', 'de']) {
      const { json } = await as('writer', 'plan', requestOf({ rows }), language);
      const [wrong] = plan.parse(json).rows;
      assert.equal(wrong?.state, 'wrong');
      problems.add(wrong.problems.join());
    }
    assert.equal(problems.size, 2);
  });

  it('return the label of an invalid field in the language of the editor', async () => {
    const { json } = await as('writer', 'plan', requestOf({ folder: '' }), 'de');
    assert.match(
      z.object({ error: z.object({ message: z.string() }) }).parse(json).error.message,
      /Ordner \(folder\)/,
    );
  });

  it('return the state null, and refuse a run, without a deployed node', async () => {
    await nodeRed.deploy([]);
    assert.equal(state.parse((await as('reader', 'state', { node: 'prompts' })).json).state, null);
    for (const name of ['run', 'pause', 'resume', 'stop'])
      assert.equal(failureOf(await as('writer', name, { node: 'prompts' })).code, 'not-configured', name);
  });

  it('refuse a run without a table, and name the fix', async () => {
    await nodeRed.deploy([node({ folder: path.join(home, 'no-table') })]);
    const { code, message } = failureOf(await as('writer', 'run', { node: 'prompts' }));
    assert.equal(code, 'bad-request');
    assert.match(message, /CSV file/);
  });

  it('refuse a run that the node cannot start', async () => {
    const csv_file = path.join(home, 'table.csv');
    await writeFile(csv_file, 'text,filename\nHello.,hello.wav\n');
    await nodeRed.deploy([node({ csv_file, folder: '' })]);
    const { message } = failureOf(await as('writer', 'run', { node: 'prompts' }));
    assert.match(message, /has not started the run/);
  });

  it('return no file that no run has made, inside or outside the folder', async () => {
    await writeFile(path.join(home, 'secret.wav'), 'secret');
    for (const filename of ['secret.wav', '../secret.wav', path.join(home, 'secret.wav')]) {
      const answer = await as('writer', 'audio', { folder: home, filename });
      assert.equal(failureOf(answer).code, 'not-found', filename);
    }
  });
});
