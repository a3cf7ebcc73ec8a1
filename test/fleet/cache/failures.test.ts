import assert from 'node:assert/strict';
import { HANG_MS, PATIENT_MS, type RedisServer } from '../../support/programs/redis.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { type Scripted, spoken } from '../../support/net/scripted-server.js';
import { type TestFleet, withFleet } from './members.js';
import { useFolder } from '../../support/folder.js';
import { until } from '../../support/waiting.js';

const request = { voice_id: 'v1', text: 'Dinner is ready.', language: 'en' };
const reply: Scripted = spoken({ seconds: 0.5 });

const faults: readonly [string, (redis: RedisServer) => unknown][] = [
  ['hangs', (redis) => redis.hang()],
  ['is gone', (redis) => redis.stop()],
  ['is read-only', (redis) => redis.cli('replicaof', '127.0.0.1', '1')],
  ['is out of memory', (redis) => redis.cli('config', 'set', 'maxmemory', '1')],
];

const commandMsOf = (fault: string) => (fault === 'hangs' ? HANG_MS : PATIENT_MS);

describeWith(['redis-server'], 'speech of a fleet while Redis fails', () => {
  const folder = useFolder();
  const folderOf = (index: number) => folder(`member-${index}`);

  for (const [name, fail] of faults)
    it(`goes on with the local cache if Redis ${name}`, () =>
      withFleet(
        () => reply,
        { folderOf, commandMs: commandMsOf(name) },
        async ({ members: [one, two], redis, server }) => {
          await fail(redis);
          assert.equal((await one.client.speak(request)).cached, 0);
          assert.equal((await two.client.speak(request)).cached, 0);
          assert.equal((await one.client.speak(request)).cached, 1);
          assert.equal((await two.client.speak(request)).cached, 1);
          assert.equal(server.requests.length, 2);
        },
      ));

  for (const [name, fail] of faults)
    it(`reaches the caller and the waiting member if Redis ${name} during the call`, async () => {
      let open = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      const work = async ({ members: [one, two], redis, server }: TestFleet) => {
        const first = one.client.speak(request);
        await until(() => server.requests.length === 1);
        let isQueued = false;
        const onProgress = () => {
          isQueued = true;
        };
        const second = two.client.speak(request, { onProgress });
        await until(() => isQueued);
        await fail(redis);
        open();
        assert.equal((await first).cached, 0);
        assert.ok((await second).audio.length > 0);
      };
      await withFleet(() => gate.then(() => reply), { folderOf, commandMs: commandMsOf(name) }, work);
    });

  it('is shared again after Redis has lost all data and is back', () =>
    withFleet(
      () => reply,
      { folderOf },
      async ({ members: [one, two, three], redis, server }) => {
        await one.client.speak(request);
        await redis.stop();
        await redis.start();
        await until(() => [one, two, three].every(({ connection }) => connection.isJoined));
        assert.equal((await two.client.speak(request)).cached, 0);
        await until(async () => (await two.speech.size()).entries === 1);
        assert.equal((await three.client.speak(request)).cached, 1);
        assert.equal(server.requests.length, 2);
      },
    ));

  it('keeps its lease through a restart of Redis during the call', () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    return withFleet(
      () => gate.then(() => reply),
      { folderOf },
      async ({ members: [one, two], redis, server }) => {
        const first = one.client.speak(request);
        await until(() => server.requests.length === 1);
        await redis.stop();
        await redis.start();
        await until(async () => (await redis.cli('keys', '*:lease:*')) !== '');
        const second = two.client.speak(request);
        open();
        assert.deepEqual([(await first).cached, (await second).cached], [0, 1]);
        assert.equal(server.requests.length, 1);
      },
    );
  });
});
