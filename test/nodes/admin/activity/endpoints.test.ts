import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { KEY } from '../../../support/node-red/flow.js';
import { spoken } from '../../../support/net/scripted-server.js';
import { heldService, observed, say, spokenText, view, waitFor } from '../../runtime/activity/observed.js';
import { until } from '../../../support/waiting.js';

describe('the endpoints of the sidebar', () => {
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

  it('lists a failure with its message, without the key', () =>
    observed(
      () => ({ status: 400, body: { status: 'error', message: `bad ${KEY}` } }),
      {},
      async (flow, { list }) => {
        say(flow, 'Dinner is ready.');
        await flow.out('fatal');
        const [one] = await list();
        assert.equal(one?.state, 'failed');
        assert.equal(one.error?.code, 'bad-request');
        assert.ok(!one.error.message.includes(KEY));
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
      await post('/stop', { id: current?.id });
      await waitFor(list, (all) => all[1]?.state === 'stopped' && all[0]?.state === 'speaking');
      await post('/stop', { id: current?.id });
      release();
      assert.equal(await spokenText(flow), 'Two.');
      const stopped = flow.received('fatal').map((message) => Reflect.get(Object(message['error']), 'code'));
      assert.deepEqual(stopped, ['aborted']);
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

describe('the record of a running node', () => {
  it('sends editors notifications without texts', () =>
    observed(
      () => spoken(),
      {},
      async (flow, { list }) => {
        const events: unknown[] = [];
        const hear = (event: { topic: string; data: unknown }) => {
          if (event.topic === 'herald/activity') events.push(event.data);
        };
        flow.RED.events.on('comms', hear);
        try {
          await list();
          say(flow, 'A secret.');
          await flow.out('done');
          await until(() => events.length > 0);
          z.array(z.strictObject({ revision: z.number() })).parse(events);
        } finally {
          flow.RED.events.off('comms', hear);
        }
      },
    ));

  it('shows queued announcements of a removed node as stopped', async () => {
    const { script, release } = heldService();
    await observed(script, { parallel: '1' }, async (flow, { list, get }) => {
      say(flow, 'One.', 'Two.');
      await waitFor(list, (all) => all[1]?.state === 'speaking');
      await flow.deploy([], 'full');
      assert.deepEqual(
        (await list()).map(({ state }) => state),
        ['stopped', 'stopped'],
      );
      assert.deepEqual(view.parse(await get('')).waiting, []);
      release();
    });
  });

  it('lists the last 50 of 1,000 announcements, with at most four notifications a second', () =>
    observed(
      () => spoken({ seconds: 0.1 }),
      { parallel: '32' },
      async (flow, { list }) => {
        let events = 0;
        // As an editor does, asks for the changes after each notification.
        const hear = ({ topic }: { topic: string }) => {
          if (topic !== 'herald/activity') return;
          events += 1;
          void list();
        };
        flow.RED.events.on('comms', hear);
        await list();
        const startedAt = performance.now();
        say(flow, ...Array.from({ length: 1000 }, (_, index) => `Number ${index + 1}.`));
        await until(() => flow.received('done').length === 1000);
        const seconds = (performance.now() - startedAt) / 1000;
        flow.RED.events.off('comms', hear);
        assert.ok(events <= 4 * seconds + 1, `${events} notifications in ${seconds} s`);
        assert.deepEqual(
          (await list()).map(({ text, state }) => `${text} ${state}`),
          Array.from({ length: 50 }, (_, index) => `Number ${1000 - index}. done`),
        );
      },
    ));
});
