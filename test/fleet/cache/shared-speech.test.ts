import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { readMark, withoutMark } from '../../../client/audio/index.js';
import { createBudget, openCache, type Progress } from '../../../client/index.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { rejection } from '../../support/rejection.js';
import { refused, type Script, type Scripted, spoken } from '../../support/net/scripted-server.js';
import { type TestFleet, type TestFleetOptions, withFleet } from './members.js';
import { sorted } from './support.js';
import { useFolder } from '../../support/folder.js';
import { until } from '../../support/waiting.js';

const request = { voice_id: 'v1', text: 'Dinner is ready.', language: 'en' };
const charged = (seconds: number): Scripted => {
  const reply = spoken({ seconds });
  return { ...reply, headers: { ...reply.headers, 'x-audio-length': String(seconds) } };
};

/** A script whose replies wait until the test opens the gate. */
function gated(reply: Script) {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const script: Script = async (seen, index) => {
    await Promise.race([gate, new Promise((resolve) => seen.gone.addEventListener('abort', resolve))]);
    return reply(seen, index);
  };
  return { script, open };
}

describeWith(['redis-server'], 'speech that several members of a fleet request', () => {
  const folder = useFolder();
  const folderOf = (index: number) => folder(`member-${index}`);
  const fleet = (
    script: Script,
    work: (fleet: TestFleet) => Promise<void>,
    options: Partial<TestFleetOptions> = {},
  ) => withFleet(script, { folderOf, ...options }, work);

  /** Resolves with the running speech of a second member that waits for the call of the first one. */
  async function waiting({ members: [one, two], server }: TestFleet, signal?: AbortSignal) {
    const first = one.client.speak(request);
    first.catch(() => undefined);
    await until(() => server.requests.length === 1);
    const states: Progress[] = [];
    const second = two.client.speak(request, { signal, onProgress: (progress) => states.push(progress) });
    second.catch(() => undefined);
    await until(() => states.some(({ state }) => state === 'queued'));
    return { first, second, states };
  }

  it('is paid once, and is cached and free for the waiting members', () => {
    const { script, open } = gated(() => charged(0.5));
    return fleet(script, async ({ members, server }) => {
      const speaking = members.map(({ client }) => client.speak(request));
      await until(() => server.requests.length === 1);
      open();
      const results = await Promise.all(speaking);
      assert.equal(server.requests.length, 1);
      assert.deepEqual(sorted(results.map(({ cached }) => cached)), [0, 1, 1]);
      assert.deepEqual(sorted(results.map(({ chargedSeconds }) => chargedSeconds)), [0, 0, 0.5]);
      for (const { audio } of results) {
        assert.deepEqual(Buffer.from(withoutMark(audio)), charged(0.5).body);
        assert.deepEqual(readMark(audio), { product: 'Herald', voice: 'v1', language: 'en' });
      }
      const saved = [];
      for (const index of [0, 1, 2]) {
        await members[index]?.client.close();
        const cache = openCache({ folder: folderOf(index) });
        saved.push((await cache.stats('service')).savedSeconds);
        await cache.close();
      }
      assert.deepEqual(sorted(saved), [0, 0.5, 0.5]);
    });
  });

  it('comes from Redis, and after that from the folder of the member', () =>
    fleet(
      () => charged(0.5),
      async ({ members: [one, two], server, redis }) => {
        await one.client.speak(request);
        await until(async () => (await one.speech.size()).entries === 1);
        assert.equal((await two.client.speak(request)).cached, 1);
        await redis.stop();
        await two.client.close();
        const cache = openCache({ folder: folderOf(1) });
        assert.equal((await cache.stats('service')).entries, 1);
        await cache.close();
        assert.equal(server.requests.length, 1);
      },
    ));

  it('is requested by a waiting member after the first call has failed, and has the failure of its caller only', () => {
    const { script, open } = gated((_seen, index) => (index === 0 ? refused(400) : charged(0.5)));
    return fleet(script, async (parts) => {
      const { first, second } = await waiting(parts);
      open();
      assert.equal((await rejection(first)).code, 'bad-request');
      assert.equal((await second).cached, 0);
      assert.equal(parts.server.requests.length, 2);
    });
  });

  it('is requested by a waiting member after the first caller has stopped', () => {
    const { script, open } = gated(() => charged(0.5));
    return fleet(script, async (parts) => {
      const { second } = await waiting(parts);
      await parts.members[0].client.close();
      await until(() => parts.server.requests.length === 2);
      open();
      assert.equal((await second).cached, 0);
    });
  });

  it('goes on for the others after a waiting caller has stopped', () => {
    const { script, open } = gated(() => charged(0.5));
    return fleet(script, async (parts) => {
      const stop = new AbortController();
      const { first, second, states } = await waiting(parts, stop.signal);
      stop.abort();
      assert.equal((await rejection(second)).code, 'aborted');
      open();
      assert.equal((await first).cached, 0);
      assert.equal(parts.server.requests.length, 1);
      assert.deepEqual(states, [{ state: 'queued' }]);
    });
  });

  it('arrives although the connection for messages was lost', () => {
    const { script, open } = gated(() => charged(0.5));
    return fleet(script, async (parts) => {
      const { second } = await waiting(parts);
      await parts.redis.cli('client', 'kill', 'type', 'pubsub');
      open();
      assert.equal((await second).cached, 1);
      assert.equal(parts.server.requests.length, 1);
    });
  });

  it('is not stored in Redis if it is too large, and then waiting members call at the same time', () => {
    const { script, open } = gated(() => charged(2));
    const later = gated(() => charged(2));
    return fleet(
      (seen, index) => (index === 0 ? script : later.script)(seen, index),
      async (parts) => {
        const { first, second } = await waiting(parts);
        const third = parts.members[2].client.speak(request);
        open();
        await first;
        await until(() => parts.server.requests.length === 3);
        later.open();
        assert.deepEqual([(await second).cached, (await third).cached], [0, 0]);
        assert.deepEqual(await parts.members[0].speech.size(), { bytes: 0, entries: 0 });
      },
      { shared: { maxPieceBytes: 10_000 } },
    );
  });

  it('is found in a shared folder, with only the lease in Redis', async () => {
    await mkdir(folder('shared'));
    // Members of one process with one folder would not need Redis.
    for (const index of [0, 1, 2]) await symlink(folder('shared'), folderOf(index));
    const { script, open } = gated(() => charged(2));
    await fleet(
      script,
      async (parts) => {
        const { first, second } = await waiting(parts);
        open();
        assert.equal((await first).cached, 0);
        assert.equal((await second).cached, 1);
        assert.equal(parts.server.requests.length, 1);
        assert.deepEqual(await parts.members[0].speech.size(), { bytes: 0, entries: 0 });
      },
      { shared: { in: 'folder' } },
    );
  });

  it('is not shared if another voice spoke it', () =>
    fleet(
      (_seen, index) => {
        const reply = charged(0.5);
        return index === 0 ? { ...reply, headers: { ...reply.headers, 'x-voice-fallback': 'slt' } } : reply;
      },
      async ({ members: [one, two, three], server }) => {
        assert.equal((await one.client.speak(request)).voiceFallback, 'slt');
        const second = await two.client.speak(request);
        assert.deepEqual([second.voiceFallback, second.cached], [undefined, 0]);
        await until(async () => (await two.speech.size()).entries === 1);
        assert.equal((await three.client.speak(request)).cached, 1);
        assert.equal(server.requests.length, 2);
      },
    ));

  it('needs no prediction for the budget of another member', () =>
    fleet(
      ({ path }) => (path.includes('predict') ? { body: { duration: 0.5 } } : charged(0.5)),
      async ({ members: [one, two], server }) => {
        await one.client.speak(request);
        assert.equal(server.requests.length, 2);
        await until(async () => (await one.speech.size()).entries === 1);
        assert.equal((await two.client.speak(request)).cached, 1);
        assert.equal(server.requests.length, 2);
      },
      { budget: createBudget({ perDay: 100, file: folder('budget'), warn: assert.fail }) },
    ));

  it('puts neither its text nor the API key into Redis', () =>
    fleet(
      () => charged(0.5),
      async ({ members, redis }) => {
        const [{ client, speech }, other] = members;
        await client.speak(request);
        await until(async () => (await speech.size()).entries === 1);
        await other.client.speak(request);
        const names = (await redis.cli('keys', '*')).split('\n');
        const entry = names.find((name) => name.includes(':speech:')) ?? assert.fail(names.join());
        const header = (await redis.cli('getrange', entry, '36', '400')).slice(0, 200);
        assert.match(header, /^\{"format":"wav"/);
        for (const text of [...names, header]) assert.doesNotMatch(text, /Dinner|ready|v1|sk-Test/);
      },
    ));

  it('is requested by a waiting member after its longest wait', async () => {
    const { script, open } = gated(() => charged(0.5));
    const work = async (parts: TestFleet) => {
      const { first, second } = await waiting(parts);
      await until(() => parts.server.requests.length === 2);
      open();
      assert.deepEqual([(await first).cached, (await second).cached], [0, 0]);
    };
    await fleet(script, work, { maxWaitMs: 300 });
  });

  it('is requested by a waiting member that leaves the fleet', () => {
    const { script, open } = gated(() => charged(0.5));
    return fleet(script, async (parts) => {
      const { first, second } = await waiting(parts);
      const [, two] = parts.members;
      await two.speech.close();
      two.connection.close();
      await until(() => parts.server.requests.length === 2);
      open();
      assert.deepEqual([(await first).cached, (await second).cached], [0, 0]);
    });
  });

  it('is cleared in Redis', () =>
    fleet(
      () => charged(0.5),
      async ({ members: [one, two], server }) => {
        await one.client.speak(request);
        await until(async () => (await one.speech.size()).entries === 1);
        await two.speech.clear();
        assert.equal((await two.client.speak(request)).cached, 0);
        assert.equal(server.requests.length, 2);
      },
    ));
});
