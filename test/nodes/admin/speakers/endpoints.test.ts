import assert from 'node:assert/strict';
import { logIn, type NodeRed, startNodeRed } from '../../../support/node-red/node-red.js';
import { speakerOf } from '../../editor/saved.js';
import { ask, failureOf } from '../asking.js';
import { password, settingsWith } from '../users.js';

const users = {
  admin: '*',
  reader: ['herald.read'],
  writer: ['herald.read', 'herald.write', 'flows.write'],
  player: ['herald.read', 'herald.write'],
  stranger: ['flows.read'],
};
const SECRET = 'token of Home Assistant';
/** A port without a player. */
const deployed = speakerOf({ id: 'kitchen', name: 'Kitchen', credentials: { secret: SECRET } });
const invalid = speakerOf({ id: 'bath', name: 'Bath', wake_up: '7' });
const typed = { id: 'kitchen', name: 'Kitchen', kind: 'mpd', address: '127.0.0.1:9' };
const bodies: Record<string, object> = {
  search: { start: false, after: 0 },
  play: { speaker: typed },
  say: { typed: { service: 'local' }, request: { text: 'Hello.' }, url: {}, speakers: [typed] },
  states: {},
};

describe('admin endpoints of speakers', () => {
  let nodeRed: NodeRed;
  const tokens = new Map<string, string>();
  before(async () => {
    nodeRed = await startNodeRed([{ id: 'tab', type: 'tab', label: 'Speech' }, deployed, invalid], {
      settings: settingsWith(users),
      user: { username: 'admin', password },
    });
    for (const username of Object.keys(users))
      tokens.set(username, await logIn(nodeRed.url, { username, password }));
  });
  after(() => nodeRed?.stop());

  const as = (user: string, name: string, body: object = bodies[name] ?? {}) =>
    ask(nodeRed.url, `speakers/${name}`, body, tokens.get(user));

  for (const name of Object.keys(bodies))
    it(`${name}: returns 401 without a valid token or permission`, async () => {
      assert.equal((await ask(nodeRed.url, `speakers/${name}`, bodies[name] ?? {})).status, 401);
      assert.equal((await as('stranger', name)).status, 401);
    });

  it('let a user with read permission see the states, and neither search nor play', async () => {
    for (const name of ['search', 'play', 'say']) assert.equal((await as('reader', name)).status, 401, name);
    const { status, json, text } = await as('reader', 'states');
    assert.equal(status, 200);
    const problem = 'speaker Bath: Wake-up (s) is 7: enter a number from 0 to 3, or nothing for the default';
    assert.deepEqual(json['speakers'], [
      { id: 'kitchen', is: 'idle' },
      { id: 'bath', is: 'failed', last: { problem } },
    ]);
    assert.ok(!text.includes(SECRET));
  });

  it('play on a deployed speaker, and name the fix if it does not answer', async () => {
    const { code, message } = failureOf(await as('player', 'play'));
    assert.equal(code, 'no-connection');
    assert.match(message, /Kitchen does not answer/);
  });

  it('play at the port of any account without permission to write flows, also beside the interface for the offer of a port', async () => {
    const body = { speaker: typed, account: '*', audioHost: '0.0.0.0' };
    assert.equal(failureOf(await as('player', 'play', body)).code, 'no-connection');
  });

  it('keep a failed test of changed values out of the state of the deployed speaker', async () => {
    const state = async () => (await as('reader', 'states')).text;
    const before = await state();
    for (const changed of [{ address: '127.0.0.1:2' }, { kind: 'mopidy' }, { secret: 'another token' }])
      assert.equal(
        failureOf(await as('writer', 'play', { speaker: { ...typed, ...changed } })).code,
        'no-connection',
      );
    assert.equal(await state(), before);
  });

  it('send no request to an address that is neither deployed nor found without permission to write flows', async () => {
    const other = { ...typed, address: '127.0.0.1:10' };
    assert.equal((await as('player', 'play', { speaker: other })).status, 401);
    assert.equal((await as('player', 'say', { ...bodies['say'], speakers: [typed, other] })).status, 401);
    assert.equal((await as('player', 'play', { speaker: { ...typed, kind: 'mopidy' } })).status, 401);
  });
});
