import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { leavingNothing } from '../../support/leftovers.js';
import { HANG_MS } from '../../support/programs/redis.js';
import { audioOf } from './members.js';
import { codeIs, setting, signal, submit } from './setting.js';
import { describeWith } from '../../support/programs/describe-with.js';

describeWith(['redis-server'], 'tasks of a fleet without Redis', () => {
  it('are left to their submitter, and all members close, while Redis hangs', async () => {
    await leavingNothing(() =>
      setting(
        async ({ submitter, member, redis, service }) => {
          const other = await member(2);
          const waiting = submit(submitter, { text: 'waiting', ms: 5000 });
          while (service.count() === 0) await sleep(10);
          redis.hang();
          await assert.rejects(waiting, codeIs('no-connection'));
          await assert.rejects(
            submitter.submit('next', { text: 'next' }, { signal }),
            codeIs('no-connection'),
          );
          await Promise.all([other.close(), submitter.close()]);
        },
        {},
        HANG_MS,
      ),
    );
  });

  it('are left to their submitter after the end of Redis, and are done again after its start', async () => {
    await leavingNothing(() =>
      setting(async ({ submitter, member, redis, service }) => {
        const other = await member(2);
        const waiting = submit(submitter, { text: 'waiting', ms: 1000 });
        while (service.count() === 0) await sleep(10);
        const left = assert.rejects(waiting, codeIs('no-connection'));
        await redis.stop();
        await left;
        await redis.start();
        while (!submitter.isJoined() || !other.isJoined()) await sleep(10);
        assert(audioOf({ text: 'next' }).equals((await submit(submitter, { text: 'next' })).data));
        assert.equal(service.calls.get('waiting'), 1);
      }),
    );
  });

  for (const [fault, settings] of [
    ['out of memory', ['CONFIG', 'SET', 'maxmemory', '1']],
    ['read-only', ['REPLICAOF', '127.0.0.1', '1']],
  ] as const)
    it(`are left to their submitter while Redis is ${fault}, and keep a result that was paid`, async () => {
      await setting(async ({ submitter, member, redis, service }) => {
        const other = await member(2);
        const task = { text: 'paid', ms: 500 };
        const waiting = submit(submitter, task);
        while (service.count() === 0) await sleep(10);
        const left = assert.rejects(waiting, codeIs('no-connection'));
        await redis.cli(...settings);
        await left;
        await sleep(700);
        await (fault === 'read-only'
          ? redis.cli('REPLICAOF', 'NO', 'ONE')
          : redis.cli('CONFIG', 'SET', 'maxmemory', '0'));
        while (!submitter.isJoined() || !other.isJoined()) await sleep(10);
        assert(audioOf(task).equals((await submit(submitter, task)).data));
        assert.equal(service.count(), 1);
      });
    });
});
