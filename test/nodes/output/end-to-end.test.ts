import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { inspectAudio } from '@herald-speech/client';
import { type Flow, speechNode, watchers, withHostedFlow } from '../../support/node-red/flow.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { errorOf } from '../../support/node-red/messages.js';
import { type Script, type Scripted, spoken } from '../../support/net/scripted-server.js';
import { serving } from '../../support/net/serve.js';
import { until } from '../../support/waiting.js';

const sentence = (index: number) => `${index} ${'word '.repeat(55).trim()}.`;
/** A text of several pieces. */
const TEXT = Array.from({ length: 5 }, (_, index) => sentence(index + 1)).join('\n\n');

/** A service that holds its replies after the first one until `release`. */
function holding(reply: (index: number) => Scripted = () => spoken({ seconds: 1 })) {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let requests = 0;
  const script: Script = async () => {
    const index = (requests += 1);
    if (index > 1) await released;
    return reply(index);
  };
  return { script, release };
}

/** Whether a folder or one of its folders has an unfinished file. */
const existsPart = (folder: string): boolean =>
  readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('.part'));

describe('long text through the node', () => {
  const folder = useDataFolder();
  const run = (script: Script, properties: object, work: (flow: Flow, origin: string) => Promise<void>) =>
    withHostedFlow(
      script,
      [
        speechNode('text-to-speech', properties),
        { id: 'join', type: 'join', mode: 'auto', wires: [['joined']] },
        ...watchers,
      ],
      (flow) => serving(flow.RED.httpNode, (origin) => work(flow, origin)),
      { settings: { userDir: folder() } },
    );

  it('is played from its URL while the service still speaks the rest', async () => {
    const { script, release } = holding();
    await run(script, { output: 'url', url_when: 'first' }, async (flow, base_url) => {
      flow.send('node', { payload: TEXT, base_url });
      const url = String((await flow.out('done')).payload);
      const reply = await fetch(url);
      const reader = reply.body?.getReader() ?? assert.fail('no body');
      const early = (await reader.read()).value?.length ?? 0;
      assert.ok(early > 44, 'no audio before the rest is spoken');
      release();
      let length = early;
      for (let next = await reader.read(); !next.done; next = await reader.read())
        length += next.value.length;
      await until(() => flow.received('completed').length > 0);
      const head = await fetch(url, { method: 'HEAD' });
      assert.equal(head.headers.get('content-length'), String(length));
      assert.equal(flow.received('done').length, 1);
    });
  });

  it('ends the connection of the player with an error if a later piece fails, and reports the error', async () => {
    const { script, release } = holding((index) => (index < 3 ? spoken({ seconds: 1 }) : { status: 400 }));
    await run(script, { output: 'url', url_when: 'first' }, async (flow, base_url) => {
      flow.send('node', { payload: TEXT, base_url });
      const url = String((await flow.out('done')).payload);
      const reply = await fetch(url);
      const body = assert.rejects(reply.arrayBuffer());
      release();
      await body;
      assert.equal((await fetch(url, { method: 'HEAD' })).status, 404);
      assert.equal(errorOf(await flow.out('fatal')).status, 400);
    });
  });

  it('leaves no file after msg.reset, and ends the connection of the player with an error', async () => {
    for (const output of ['file', 'url']) {
      const { script, release } = holding();
      const properties = { output, url_when: 'first', filename: `${folder()}/{{topic}}.wav` };
      await run(script, properties, async (flow, base_url) => {
        const names = async () => (await readdir(folder(), { recursive: true })).sort();
        const before = await names();
        flow.send('node', { payload: TEXT, base_url, topic: 'stopped' });
        await until(() => existsPart(folder()));
        const url = output === 'url' ? String((await flow.out('done')).payload) : undefined;
        const reply = url === undefined ? undefined : await fetch(url);
        const body = reply && assert.rejects(reply.arrayBuffer());
        flow.send('node', { reset: true });
        await body;
        await until(() => !existsPart(folder()));
        assert.deepEqual(
          (await names()).filter((name) => name !== 'herald' && name !== path.join('herald', 'audio')),
          before.filter((name) => name !== 'herald' && name !== path.join('herald', 'audio')),
        );
        release();
      });
    }
  });

  it('arrives in pieces that the join node collects', () =>
    run(
      () => spoken({ seconds: 1 }),
      { output: 'pieces', wires: [['done', 'join'], ['retryable'], ['fatal'], ['no-credits']] },
      async (flow) => {
        flow.send('node', { payload: TEXT, topic: 'story' });
        const { payload, topic } = await flow.out('joined');
        assert.ok(Array.isArray(payload) && payload.length >= 5);
        for (const file of payload) assert.equal(inspectAudio(file).duration, 1);
        assert.equal(topic, 'story');
        const messages = flow.received('done');
        assert.equal(messages.length, payload.length);
        assert.deepEqual(
          messages.map((message) => message['complete'] === true),
          messages.map((_, index) => index === messages.length - 1),
        );
      },
    ));

  it('to a file leaves the former file and no other if a later piece fails', () =>
    run(
      ({ json }) => (String(json['text']).startsWith('4') ? { status: 400 } : spoken({ seconds: 1 })),
      { output: 'file', filename: `${folder()}/{{topic}}.wav` },
      async (flow) => {
        flow.send('node', { payload: sentence(1), topic: 'story' });
        const file = String((await flow.out('done')).payload);
        const former = await readFile(file);
        flow.send('node', { payload: TEXT, topic: 'story' });
        assert.equal(errorOf(await flow.out('fatal')).status, 400);
        assert.deepEqual(await readFile(file), former);
        const names = await readdir(path.dirname(file));
        assert.deepEqual(
          names.filter((name) => name.endsWith('.part') || name.endsWith('.wav')),
          ['story.wav'],
        );
      },
    ));
});
