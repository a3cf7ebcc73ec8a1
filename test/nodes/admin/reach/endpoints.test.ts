import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { z } from '@herald-speech/client';
import { type FlowNode, logIn, type NodeRed, startNodeRed } from '../../../support/node-red/node-red.js';
import { ask, failureOf } from '../asking.js';
import { password, settingsWith } from '../users.js';
import { until } from '../../../support/waiting.js';

const users = {
  admin: '*',
  reader: ['herald.read'],
  writer: ['herald.read', 'herald.write', 'flows.write'],
  player: ['herald.read', 'herald.write'],
  stranger: ['flows.read'],
};
const bodies: Record<string, object> = {
  addresses: {},
  open: { account: '', port: 18_881, host: '' },
  test: {},
  requests: { names: ['0.wav'], after: 0 },
  flow: { node: 'speech', name: '0.wav' },
};
const report = z.object({
  url: z.string(),
  from: z.string(),
  problems: z.array(z.object({ code: z.string(), text: z.string(), isCertain: z.boolean() })),
  addresses: z.array(
    z.object({ address: z.string(), kind: z.string(), url: z.string().optional(), isUsed: z.boolean() }),
  ),
});
const offer = z.object({ host: z.string(), addresses: z.array(z.string()) }).optional();
const test = z.object({ url: z.string(), name: z.string(), text: z.string(), duration: z.number() });
const state = z.object({
  version: z.number(),
  requests: z.array(
    z.looseObject({ method: z.string(), device: z.string(), isOwn: z.boolean(), status: z.number() }),
  ),
});

describe('admin endpoints of the reach of speakers', () => {
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

  const as = (user: string, name: string, body: object, language?: string) =>
    ask(nodeRed.url, `reach/${name}`, body, tokens.get(user), language);
  const base = () => nodeRed.url.replace(/\/$/, '');
  const startTest = async (more: object = {}) =>
    test.parse((await as('writer', 'test', { base_url: base(), ...more })).json);
  const speech: FlowNode[] = [
    { id: 'tab', type: 'tab', label: 'Speech' },
    { id: 'speech', type: 'herald-text-to-speech', z: 'tab', x: 1, y: 1, account: '', wires: [['debug']] },
    { id: 'alone', type: 'herald-text-to-speech', z: 'tab', x: 1, y: 2, account: '', wires: [[]] },
    {
      id: 'debug',
      type: 'debug',
      z: 'tab',
      x: 2,
      y: 1,
      active: true,
      console: true,
      complete: 'true',
      wires: [],
    },
  ];

  for (const [name, body] of Object.entries(bodies))
    it(`${name}: returns 401 without a valid token or permission`, async () => {
      assert.equal((await ask(nodeRed.url, `reach/${name}`, body)).status, 401);
      assert.equal((await as('stranger', name, body)).status, 401);
    });

  it('let a user with read permission see addresses and requests, and start nothing', async () => {
    const { url, name } = await startTest();
    await (await fetch(url)).arrayBuffer();
    assert.equal((await as('reader', 'requests', { names: [name], after: 0 })).status, 200);
    for (const name of ['test', 'flow'])
      assert.equal((await as('reader', name, bodies[name] ?? {})).status, 401);
    assert.equal((await as('reader', 'addresses', {})).status, 200);
  });

  it('search for a free port, which listens at ports, only for a user who may write flows', async () => {
    const offerFor = async (user: string) => (await as(user, 'addresses', {})).json['offer'];
    assert.notEqual(await offerFor('writer'), undefined);
    for (const user of ['reader', 'player']) assert.equal(await offerFor(user), undefined, user);
  });

  it('name the field of an invalid edited port, and offer no port', async () => {
    for (const audioPort of ['80.5', '-1', '70000']) {
      const { json } = await as('writer', 'addresses', { account: 'new', audioPort });
      const [first] = report.parse(json).problems;
      assert.ok(first?.text.includes(`Port is "${audioPort}": expected a whole number`), first?.text);
      assert.equal(json['offer'], undefined);
    }
  });

  it('offer only the address that the account names, and no port if speakers do not reach it', async () => {
    const offered = async (audioHost: string) =>
      offer.parse((await as('writer', 'addresses', { account: 'new', audioHost })).json['offer']);
    // A computer without a network has no such address.
    for (const address of (await offered(''))?.addresses ?? [])
      assert.deepEqual(await offered(address), { host: address, addresses: [address] });
    assert.equal((await offered('0.0.0.0'))?.host, '0.0.0.0');
    for (const other of ['127.0.0.1', '203.0.113.9']) assert.equal(await offered(other), undefined, other);
  });

  it('open an audio port only for a user who may write flows', async () => {
    assert.equal((await as('player', 'open', bodies['open'] ?? {})).status, 401);
    await assert.rejects(fetch('http://127.0.0.1:18881/'));
  });

  it('name the field and the fix for a port that is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { message } = failureOf(await as('writer', 'open', { account: '', port, host: '127.0.0.1' }));
    taken.close();
    assert.match(
      message,
      /^port \d+: another program or account uses it: enter another “Port” under “Players”/,
    );
  });

  it('refuse invalid values with status 400', async () => {
    const wrong: [string, object][] = [
      ['addresses', { base_url: 'speaker' }],
      ['addresses', { base_url: 'file:///etc/passwd' }],
      ['test', { format: 'tape' }],
      ['requests', { names: [], after: 0 }],
      ['requests', { names: Array.from({ length: 51 }, () => 'a'), after: 0 }],
      ['flow', { node: 'speech' }],
      ['open', { account: '', port: 0, host: '' }],
      ['open', { account: '', port: 1881, host: 'kitchen' }],
    ];
    for (const [name, body] of wrong)
      assert.equal((await as('writer', name, body)).status, 400, JSON.stringify(body));
  });

  it('describe a typed base URL, and list all addresses with the used one', async () => {
    const { json } = await as('reader', 'addresses', { base_url: 'http://127.0.0.1:1880/' });
    const { url, from, addresses } = report.parse(json);
    assert.deepEqual({ url, from }, { url: 'http://127.0.0.1:1880', from: 'node' });
    const loopback = addresses.find(({ address }) => address === '127.0.0.1');
    assert.deepEqual(loopback, { address: '127.0.0.1', kind: 'loopback', isUsed: true });
  });

  it('serve a spoken test sound before the first deploy, and show its requests', async () => {
    const { url, name, text, duration } = await startTest();
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/herald\/audio\/[0-9a-f]{40}\.wav$/);
    assert.match(text, /test sound/);
    assert.ok(duration > 2);
    const headers = { 'user-agent': 'Linux UPnP/1.0 Sonos/83.1-61240 (ZPS22)', range: 'bytes=0-99' };
    assert.equal((await (await fetch(url, { headers })).arrayBuffer()).byteLength, 100);
    const { requests } = state.parse((await as('reader', 'requests', { names: [name], after: 0 })).json);
    const [first] = requests;
    const expected = { method: 'GET', device: 'Sonos', isOwn: true, status: 206, range: 'bytes=0-99' };
    assert.deepEqual(first, { ...first, ...expected });
  });

  it('show the requests of the asked test sounds only', async () => {
    const [one, other] = [await startTest(), await startTest()];
    assert.notEqual(one.url, other.url);
    await (await fetch(one.url)).arrayBuffer();
    const { requests } = state.parse(
      (await as('reader', 'requests', { names: [other.name], after: 0 })).json,
    );
    assert.deepEqual(requests, []);
  });

  it('reply to a waiting request as soon as a player connects', async () => {
    const { url, name } = await startTest();
    const { version } = state.parse((await as('reader', 'requests', { names: [name], after: 0 })).json);
    const waiting = as('reader', 'requests', { names: [name], after: version });
    await fetch(url, { method: 'HEAD' });
    const { requests } = state.parse((await waiting).json);
    assert.equal(requests[0]?.method, 'HEAD');
  });

  it('make the test sound in the format of the node, and WAV of raw formats', async () => {
    assert.match((await startTest({ format: 'mp3' })).url, /\.mp3$/);
    assert.match((await startTest({ format: 'asterisk-sln16' })).url, /\.wav$/);
  });

  it('speak the sentence in the language of the editor', async () => {
    const { json } = await as('writer', 'test', { base_url: base() }, 'de');
    assert.match(test.parse(json).text, /Testton/);
  });

  it('send a test sound through the deployed node, and name the fix without node or wire', async () => {
    const { name, url } = await startTest();
    await nodeRed.deploy(speech);
    assert.deepEqual((await as('writer', 'flow', { node: 'speech', name })).json, {});
    await until(() => nodeRed.log().includes(url));
    const failures = [
      [{ node: 'missing', name }, /not deployed/],
      [{ node: 'debug', name }, /not deployed/],
      [{ node: 'alone', name }, /no wire/],
      [{ node: 'speech', name: 'unknown.wav' }, /expired/],
    ] as const;
    for (const [body, message] of failures)
      assert.match(failureOf(await as('writer', 'flow', body)).message, message);
  });
});
