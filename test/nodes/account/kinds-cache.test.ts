import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Flow, type FlowNode, KEY, speechNode, withFlow } from '../../support/node-red/flow.js';
import { audioOf, speechOf } from '../../support/node-red/messages.js';
import { type Script, spoken, withServer } from '../../support/net/scripted-server.js';
import {
  audioEvents,
  infoOf,
  send,
  type WyomingScript,
  withWyoming,
} from '../../support/net/wyoming-server.js';

const TEXT = 'Dinner is ready.';

/** Speaks each request with its own length, so that the audio of another request is found. */
const speaks: Script = ({ path: address }, index) =>
  address.endsWith('/voices') ? { body: ['nova'] } : spoken({ seconds: 0.2 + 0.1 * index });

const account = (id: string, more: object): FlowNode => ({
  id,
  type: 'herald-account',
  fallback: 'none',
  language: 'en',
  attempts: '1',
  ...more,
});
const speakNode = (id: string): FlowNode => ({
  ...speechNode('text-to-speech', { account: id }),
  id: `speak-${id}`,
});

describe('the cache of accounts of any service', () => {
  const former = process.env['HERALD_CACHE'];
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-cache-'));
    process.env['HERALD_CACHE'] = folder;
  });
  afterEach(async () => {
    process.env['HERALD_CACHE'] = former;
    await rm(folder, { recursive: true, force: true });
  });

  const run = <Result>(accounts: FlowNode[], work: (flow: Flow) => Promise<Result>): Promise<Result> =>
    withFlow([...accounts, ...accounts.map(({ id }) => speakNode(id))], work, {
      credentials: Object.fromEntries(accounts.map(({ id }) => [id, { apiKey: KEY }])),
    });
  const say = async (flow: Flow, id: string) => {
    flow.send(`speak-${id}`, { payload: TEXT });
    const message = await flow.out('done');
    return { cached: speechOf(message).cached, audio: audioOf(message) };
  };
  const openai = (id: string, url: string, more: object = {}) =>
    account(id, { service: 'openai', url: `${url}/v1`, voice_id: 'nova', ...more });

  it('shares no audio of a text between models and instructions of one address, and all audio of equal ones', () =>
    withServer(speaks, async ({ url, requests }) => {
      const accounts = [
        openai('plain', url),
        openai('model', url, { model: 'other' }),
        openai('instructed', url, { instructions: 'Whisper.' }),
        openai('both', url, { model: 'other', instructions: 'Whisper.' }),
      ];
      const equal = [openai('equal', url), openai('equal-model', url, { model: 'other' })];
      await run([...accounts, ...equal], async (flow) => {
        const heard = new Map<string, Buffer>();
        for (const { id } of accounts) {
          const { cached, audio } = await say(flow, id);
          assert.equal(cached, false, id);
          heard.set(id, audio);
        }
        const paid = () => requests.filter(({ method }) => method === 'POST').length;
        assert.deepEqual([paid(), new Set([...heard.values()].map(String)).size], [4, 4]);
        for (const { id } of accounts) {
          const { cached, audio } = await say(flow, id);
          assert.equal(cached, true, id);
          assert.deepEqual(audio, heard.get(id));
        }
        assert.deepEqual((await say(flow, 'equal')).audio, heard.get('plain'));
        assert.deepEqual((await say(flow, 'equal-model')).audio, heard.get('model'));
        assert.equal(paid(), 4);
      });
    }));

  it('speaks from its folder after a restart of Node-RED, for an OpenAI-compatible service', () =>
    withServer(speaks, async ({ url, requests }) => {
      const first = await run([openai('account', url)], (flow) => say(flow, 'account'));
      const sent = requests.length;
      const again = await run([openai('account', url)], (flow) => say(flow, 'account'));
      assert.deepEqual([again.cached, again.audio], [true, first.audio]);
      assert.deepEqual(
        requests
          .slice(sent)
          .map(({ method }) => method)
          .filter((method) => method === 'POST'),
        [],
      );
    }));

  it('speaks from its folder after a restart of Node-RED, for a Wyoming server', () => {
    const script: WyomingScript = ({ type }, socket, index) => {
      if (type === 'describe') send(socket, infoOf({ name: 'v1', languages: ['en_US'] }));
      if (type === 'synthesize') send(socket, ...audioEvents(Buffer.alloc(8820, 1 + index)));
    };
    return withWyoming(script, async ({ url, events }) => {
      const spokenTexts = () => events.filter(({ type }) => type === 'synthesize').length;
      const wyoming = account('account', { service: 'wyoming', address: url });
      const first = await run([wyoming], async (flow) => {
        const heard = await say(flow, 'account');
        assert.equal((await say(flow, 'account')).cached, true);
        return heard;
      });
      const again = await run([wyoming], (flow) => say(flow, 'account'));
      assert.deepEqual([first.cached, again.cached, again.audio], [false, true, first.audio]);
      assert.equal(spokenTexts(), 1);
    });
  });

  it('shares nothing between two Wyoming servers', () => {
    const script =
      (level: number): WyomingScript =>
      ({ type }, socket) => {
        if (type === 'describe') send(socket, infoOf({ name: 'v1', languages: ['en_US'] }));
        if (type === 'synthesize') send(socket, ...audioEvents(Buffer.alloc(8820, level)));
      };
    return withWyoming(script(1), (one) =>
      withWyoming(script(2), (other) =>
        run(
          [
            account('one', { service: 'wyoming', address: one.url }),
            account('other', { service: 'wyoming', address: other.url }),
          ],
          async (flow) => {
            const heard = [await say(flow, 'one'), await say(flow, 'other')];
            assert.deepEqual(
              heard.map(({ cached }) => cached),
              [false, false],
            );
            assert.notDeepEqual(heard[0]?.audio, heard[1]?.audio);
          },
        ),
      ),
    );
  });
});
