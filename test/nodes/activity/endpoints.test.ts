import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inspectAudio, z } from '@herald-speech/client';
import { type Flow, KEY, speechNode, withHostedFlow } from '../../support/flow.js';
import { speechOf } from '../../support/messages.js';
import { type Script, spoken } from '../../support/scripted-server.js';
import { serving } from '../../support/serve.js';

const announcement = z.object({
  id: z.number(),
  node: z.string(),
  name: z.string(),
  state: z.enum(['queued', 'speaking', 'done', 'failed', 'stopped']),
  text: z.string(),
  voice: z.string().optional(),
  language: z.string().optional(),
  seconds: z.number().optional(),
  charged: z.number().optional(),
  cached: z.boolean().optional(),
  hasAudio: z.boolean(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
const view = z.object({
  run: z.string(),
  revision: z.number(),
  ids: z.array(z.number()),
  announcements: z.array(announcement),
  waiting: z.array(z.object({ node: z.string(), count: z.number() })),
});
const sound = z.object({ audio: z.base64(), mime: z.string() });

/** The admin endpoints of the sidebar. */
interface Sidebar {
  /** Returns the announcements of the node, the latest first. */
  list(): Promise<z.output<typeof announcement>[]>;
  get(route: string): Promise<unknown>;
  post(route: string, body: object): Promise<unknown>;
}

/** Runs `work` with a flow of one text to speech node `node` and the admin endpoints of the sidebar. */
const observed = (
  script: Script,
  properties: object,
  work: (flow: Flow, sidebar: Sidebar) => Promise<void>,
) =>
  withHostedFlow(
    script,
    [speechNode('text-to-speech', { cache: 'false', cacheType: 'bool', ...properties })],
    (flow) =>
      serving(flow.RED.httpAdmin, async (origin) => {
        const ask = async (route: string, options: RequestInit = {}): Promise<unknown> => {
          const reply = await fetch(`${origin}/herald/activity${route}`, options);
          assert.equal(reply.status, 200);
          return reply.json();
        };
        const before = view.parse(await ask('')).ids;
        await work(flow, {
          get: ask,
          post: (route, body) =>
            ask(route, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }),
          async list() {
            const { announcements } = view.parse(await ask(''));
            const own = announcements.filter(({ id }) => !before.includes(id));
            return own.sort((a, b) => b.id - a.id);
          },
        });
      }),
  );

/** A service that replies only after `release`. */
function heldService() {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const script: Script = async (request) => {
    await Promise.race([released, new Promise((resolve) => request.gone.addEventListener('abort', resolve))]);
    return spoken({ seconds: 1 });
  };
  return { script, release };
}

function say(flow: Flow, ...texts: string[]): void {
  for (const payload of texts) flow.send('node', { payload });
}

/** Returns the text of the next message on the first output. */
const spokenText = async (flow: Flow): Promise<string> => speechOf(await flow.out('done')).text;

describe('the record of announcements', () => {
  it('lists a spoken message with text, voice, seconds and charge', () =>
    observed(
      () => ({ ...spoken({ seconds: 2 }) }),
      { name: 'kitchen' },
      async (flow, { list }) => {
        say(flow, 'Dinner is ready.');
        await flow.out('done');
        const [{ id: _id, ...one } = assert.fail('no announcement')] = await list();
        assert.deepEqual(one, {
          node: 'node',
          name: 'kitchen',
          state: 'done',
          text: 'Dinner is ready.',
          voice: 'voice-1',
          language: one.language,
          seconds: 2,
          cached: false,
          hasAudio: true,
        });
      },
    ));

  it('cuts a text at 300 UTF-16 code units, and never inside a character', () =>
    observed(
      () => spoken(),
      {},
      async (flow, { list }) => {
        say(flow, `${'a'.repeat(299)}😀 end`);
        await flow.out('done');
        assert.equal((await list())[0]?.text, 'a'.repeat(299));
      },
    ));

  it('lists a failure with its message in the language of the editor, without the key', () =>
    observed(
      () => ({ status: 400, body: { status: 'error', message: `bad ${KEY}` } }),
      {},
      async (flow, { list, get }) => {
        say(flow, 'Dinner is ready.');
        await flow.out('fatal');
        const [one] = await list();
        assert.equal(one?.state, 'failed');
        assert.equal(one.error?.code, 'bad-request');
        const german = JSON.stringify(await get(''));
        assert.ok(!german.includes(KEY));
      },
    ));

  it('stops one announcement, and speaks the others', async () => {
    const { script, release } = heldService();
    await observed(script, { parallel: '1' }, async (flow, { list, post }) => {
      say(flow, 'One.', 'Two.', 'Three.');
      const queued = await waitFor(list, (all) => all.length === 3 && all.every(({ text }) => text !== ''));
      assert.deepEqual(
        queued.map(({ state }) => state),
        ['queued', 'queued', 'speaking'],
      );
      const two = queued.find(({ text }) => text === 'Two.') ?? assert.fail('no second announcement');
      await post('/stop', { id: two.id });
      release();
      assert.deepEqual([await spokenText(flow), await spokenText(flow)], ['One.', 'Three.']);
      const stopped = (await list()).find(({ id }) => id === two.id);
      assert.equal(stopped?.state, 'stopped');
      assert.equal(stopped.error?.message, 'a user stopped the announcement in the sidebar');
      assert.equal(flow.received('fatal').length, 1);
    });
  });

  it('stops the current announcement, and speaks the next one', async () => {
    const { script, release } = heldService();
    await observed(script, { parallel: '1' }, async (flow, { list, post }) => {
      say(flow, 'One.', 'Two.');
      const [, current] = await waitFor(list, (all) => all[1]?.state === 'speaking');
      await post('/stop', { id: current?.id });
      await waitFor(list, (all) => all[1]?.state === 'stopped' && all[0]?.state === 'speaking');
      release();
      assert.equal(await spokenText(flow), 'Two.');
    });
  });

  it('clears the queue of a node, and speaks the current announcement', async () => {
    const { script, release } = heldService();
    await observed(script, { parallel: '1' }, async (flow, { list, get, post }) => {
      say(flow, 'One.', 'Two.', 'Three.');
      await waitFor(list, (all) => all.length === 3 && all[2]?.state === 'speaking');
      assert.deepEqual(view.parse(await get('')).waiting, [{ node: 'node', count: 2 }]);
      await post('/clear', { node: 'node' });
      release();
      await flow.out('done');
      assert.deepEqual(
        (await list()).map(({ state }) => state),
        ['stopped', 'stopped', 'done'],
      );
      assert.deepEqual(view.parse(await get('')).waiting, []);
    });
  });

  it('returns only changes since a revision, and everything to an editor of another run', () =>
    observed(
      () => spoken(),
      {},
      async (flow, { get }) => {
        say(flow, 'One.');
        await flow.out('done');
        const { run, revision, ids } = view.parse(await get(''));
        const same = view.parse(await get(`?run=${run}&since=${revision}`));
        assert.deepEqual([same.ids, same.announcements], [ids, []]);
        say(flow, 'Two.');
        await flow.out('done');
        const { announcements } = view.parse(await get(`?run=${run}&since=${revision}`));
        assert.deepEqual(
          announcements.map(({ text }) => text),
          ['Two.'],
        );
        const all = view.parse(await get(`?run=other&since=${revision + 1000}`));
        assert.equal(all.announcements.length, all.ids.length);
      },
    ));
});

/** Reads the list until it is as expected. */
async function waitFor(
  list: Sidebar['list'],
  isSo: (all: Awaited<ReturnType<Sidebar['list']>>) => boolean,
): Promise<Awaited<ReturnType<Sidebar['list']>>> {
  for (;;) {
    const all = await list();
    if (isSo(all)) return all;
  }
}

describe('the replay of an announcement', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-replay-'));
  });
  after(() => rm(folder, { recursive: true }));

  const outputs: [name: string, properties: () => object, mime: string][] = [
    ['a Buffer', () => ({}), 'audio/wav'],
    ['MP3', () => ({ output_format: 'mp3-64' }), 'audio/mpeg'],
    ['raw mu-law', () => ({ output_format: 'raw-8000-mulaw' }), 'audio/wav'],
    ['raw PCM', () => ({ output_format: 'asterisk-sln16' }), 'audio/wav'],
    ['a file', () => ({ output: 'file', filename: path.join(folder, 'a.wav') }), 'audio/wav'],
    ['a URL', () => ({ output: 'url' }), 'audio/wav'],
  ];
  for (const [name, properties, mime] of outputs) {
    it(`returns audio that browsers play for ${name}`, () =>
      observed(
        () => spoken({ seconds: 1 }),
        properties(),
        async (flow, { list, get }) => {
          say(flow, 'Dinner is ready.');
          await flow.out('done');
          const [one] = await list();
          assert.equal(one?.hasAudio, true);
          const reply = sound.parse(await get(`/audio?id=${one.id}`));
          assert.equal(reply.mime, mime);
          const { duration } = inspectAudio(Buffer.from(reply.audio, 'base64'));
          assert.ok(Math.abs(duration - 1) < 0.1, String(duration));
        },
      ));
  }

  it('joins the pieces of a text', () =>
    observed(
      () => spoken({ seconds: 1 }),
      { output: 'pieces' },
      async (flow, { list, get }) => {
        say(flow, 'So it goes. '.repeat(50));
        const [first] = await waitFor(list, (all) => all[0]?.state === 'done');
        const { audio } = sound.parse(await get(`/audio?id=${first?.id}`));
        assert.equal(inspectAudio(Buffer.from(audio, 'base64')).duration, flow.received('done').length);
      },
    ));

  it('refuses a file that a newer announcement has replaced', () =>
    observed(
      () => spoken({ seconds: 1 }),
      { output: 'file', filename: path.join(folder, 'same.wav') },
      async (flow, { list, get }) => {
        say(flow, 'One.');
        await flow.out('done');
        const { endedAt } = z.object({ endedAt: z.number() }).parse(
          z
            .object({ announcements: z.array(z.unknown()) })
            .parse(await get(''))
            .announcements.at(-1),
        );
        while (Date.now() <= endedAt + 1) await new Promise(setImmediate);
        say(flow, 'Two.');
        await flow.out('done');
        const [two, one] = await list();
        assert.ok(sound.safeParse(await get(`/audio?id=${two?.id}`)).success);
        const { error } = z
          .object({ error: z.object({ code: z.string() }) })
          .parse(await get(`/audio?id=${one?.id}`));
        assert.equal(error.code, 'not-found');
      },
    ));

  it('is not found for an unknown announcement', () =>
    observed(
      () => spoken(),
      {},
      async (_flow, { get }) => {
        for (const id of ['0', '-1', 'x', '']) {
          const { error } = z
            .object({ error: z.object({ code: z.string() }) })
            .parse(await get(`/audio?id=${id}`));
          assert.equal(error.code, 'not-found');
        }
      },
    ));
});
