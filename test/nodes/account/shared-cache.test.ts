import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openCache, z } from '@herald-speech/client';
import {
  type Flow,
  type FlowNode,
  hostedAccount,
  KEY,
  localAccount,
  speechNode,
  withFlow,
  withHostedFlow,
} from '../../support/node-red/flow.js';
import { keepLocalService } from '../../support/service/local-service.js';
import { audioOf, errorOf } from '../../support/node-red/messages.js';
import { refused, type Scripted, spoken, withServer } from '../../support/net/scripted-server.js';

const TEXT = 'Dinner is ready.';
const longText = Array.from(
  { length: 9 },
  (_, index) => `Sentence ${index + 1} ${'goes on and on '.repeat(11)}to its end.`,
).join(' ');
const chargedSpeech = z.object({ speech: z.object({ chargedSeconds: z.number() }) });
const chargedIn = (message: unknown): number => chargedSpeech.parse(message).speech.chargedSeconds;
const charged = (seconds: number): Scripted => {
  const reply = spoken({ seconds });
  return { ...reply, headers: { ...reply.headers, 'x-audio-length': String(seconds) } };
};

describe('the cache of accounts', () => {
  const former = process.env['HERALD_CACHE'];
  let folder = '';
  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(os.tmpdir(), 'herald-cache-')), 'cache');
    process.env['HERALD_CACHE'] = folder;
  });
  afterEach(async () => {
    process.env['HERALD_CACHE'] = former;
    await rm(path.dirname(folder), { recursive: true, force: true });
  });

  const hosted = (
    script: Parameters<typeof withHostedFlow>[0],
    work: Parameters<typeof withHostedFlow>[2],
    account = {},
  ) => withHostedFlow(script, [speechNode('text-to-speech')], work, { account });
  const chargeOf = async (flow: Flow) => chargedIn(await flow.out('done'));

  it('pays once for a text that ten nodes of two accounts speak at the same time', () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const script = async () => {
      await gate;
      return charged(0.5);
    };
    const work = async (url: string, count: () => number) => {
      const nodes = Array.from({ length: 10 }, (_, index): FlowNode => ({
        ...speechNode('text-to-speech', { account: index < 5 ? 'account' : 'other' }),
        id: `node-${index}`,
      }));
      const accounts = [hostedAccount(url), hostedAccount(url, { id: 'other' })];
      const credentials = { account: { apiKey: KEY }, other: { apiKey: `${KEY}2` } };
      await withFlow(
        [...accounts, ...nodes],
        async (flow) => {
          for (const { id } of nodes) flow.send(id, { payload: TEXT });
          while (count() === 0) await new Promise(setImmediate);
          open();
          const charges = [];
          while (charges.length < 10) charges.push(await chargeOf(flow));
          assert.deepEqual(
            charges.sort((one, other) => one - other),
            [...Array.from({ length: 9 }, () => 0), 0.5],
          );
        },
        { credentials },
      );
      assert.equal(count(), 1);
    };
    return withServer(script, ({ url, requests }) => work(url, () => requests.length), undefined, {
      describesVoices: false,
    });
  });

  it('costs nothing to repeat a message, also after a deploy, and counts the saved seconds', async () => {
    await hosted(
      () => charged(0.5),
      async (flow, { url, requests }) => {
        flow.send('node', { payload: TEXT });
        const first = await flow.out('done');
        flow.send('node', { payload: TEXT });
        assert.equal(await chargeOf(flow), 0);
        await flow.deploy([hostedAccount(url), speechNode('text-to-speech')], 'full');
        flow.send('node', { payload: TEXT });
        const again = await flow.out('done');
        assert.equal(chargedIn(again), 0);
        assert.deepEqual(audioOf(again), audioOf(first));
        assert.equal(requests.length, 1);
      },
    );
    const cache = openCache({ folder });
    assert.equal((await cache.stats('account')).savedSeconds, 1);
    await cache.close();
    for (const name of await readdir(folder))
      assert.ok(!(await readFile(path.join(folder, name), 'latin1')).includes(KEY));
  });

  it('continues a long text at its failed piece when the message is sent again', () =>
    hosted(
      ({ json }, index) =>
        String(json['text']).startsWith('Sentence 7') && index < 7 ? refused(400) : charged(0.1),
      async (flow, { requests }) => {
        flow.send('node', { payload: longText });
        assert.equal(errorOf(await flow.out('fatal')).code, 'bad-request');
        const sent = requests.length;
        flow.send('node', { payload: longText });
        assert.equal(await chargeOf(flow), 0.3);
        assert.equal(requests.length - sent, 3);
      },
      { concurrency: '1' },
    ));

  it('continues at the failed piece, too, if the pieces leave as messages', () =>
    withHostedFlow(
      ({ json }, index) =>
        String(json['text']).startsWith('Sentence 7') && index < 7 ? refused(400) : charged(0.1),
      [speechNode('text-to-speech', { output: 'pieces' })],
      async (flow, { requests }) => {
        flow.send('node', { payload: longText });
        assert.equal(errorOf(await flow.out('fatal')).code, 'bad-request');
        const before = flow.received('done').length;
        const sent = requests.length;
        flow.send('node', { payload: longText });
        while (flow.received('done').length < before + 9) await new Promise(setImmediate);
        assert.equal(requests.length - sent, 3);
      },
      { account: { concurrency: '1' } },
    ));

  it('pays nothing for a message whose file could not be written at first', async () => {
    const target = path.join(path.dirname(folder), 'target');
    await mkdir(target);
    const filename = path.join(target, 'dinner.wav');
    await withHostedFlow(
      async () => {
        await rm(target, { recursive: true, force: true });
        return charged(0.5);
      },
      [speechNode('text-to-speech', { output: 'file', filename })],
      async (flow, { requests }) => {
        flow.send('node', { payload: TEXT });
        assert.equal(errorOf(await flow.out('fatal')).code, 'bad-request');
        await mkdir(target);
        flow.send('node', { payload: TEXT });
        assert.equal(await chargeOf(flow), 0);
        assert.ok((await readFile(filename)).length > 8000);
        assert.equal(requests.length, 1);
      },
    );
  });

  it('is off for a message with msg.cache false, and for a node', () =>
    hosted(
      () => charged(0.5),
      async (flow, { requests, url }) => {
        const charges = [];
        for (const cache of [true, false, 'false', true]) {
          flow.send('node', { payload: TEXT, cache });
          charges.push(await chargeOf(flow));
        }
        assert.deepEqual(charges, [0.5, 0.5, 0.5, 0]);
        await flow.deploy([
          hostedAccount(url),
          speechNode('text-to-speech', { cache: 'false', cacheType: 'bool' }),
        ]);
        flow.send('node', { payload: TEXT });
        assert.equal(await chargeOf(flow), 0.5);
        assert.equal(requests.length, 4);
      },
    ));

  it('is off if the account turns it off', () =>
    hosted(
      () => charged(0.5),
      async (flow, { requests }) => {
        for (let count = 0; count < 2; count += 1) {
          flow.send('node', { payload: TEXT });
          assert.equal(await chargeOf(flow), 0.5);
        }
        assert.equal(requests.length, 2);
        await assert.rejects(readdir(folder), /ENOENT/);
      },
      { cache: false },
    ));

  it('speaks with one warning in the log if its folder is a file', async () => {
    await writeFile(folder, '');
    await hosted(
      () => charged(0.5),
      async (flow) => {
        for (const payload of ['One.', 'Two.', 'Three.']) {
          flow.send('node', { payload });
          assert.equal(await chargeOf(flow), 0.5);
        }
        const warnings = flow.logged().filter((entry) => entry.includes('[herald] the audio cache'));
        assert.equal(warnings.length, 1);
        assert.match(warnings[0] ?? '', /contains a file in the place of a folder/);
      },
    );
  });

  describe('with the local service', () => {
    keepLocalService();

    it('is shared by nodes with and without an account', () =>
      withFlow(
        [
          localAccount(),
          speechNode('text-to-speech'),
          { ...speechNode('text-to-speech', { account: '' }), id: 'without' },
        ],
        async (flow) => {
          flow.send('node', { payload: TEXT, voice_id: 'rms' });
          const first = await flow.out('done');
          flow.send('without', { payload: TEXT, voice_id: 'rms' });
          const second = await flow.out('done');
          assert.ok(chargedIn(first) > 0);
          assert.equal(chargedIn(second), 0);
          assert.deepEqual(audioOf(second), audioOf(first));
        },
      ));
  });
});
