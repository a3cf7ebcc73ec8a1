import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Perform } from '../../../fleet/work/index.js';
import { audioOf, performAt } from './members.js';
import { setting, submit } from './setting.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { until } from '../../support/waiting.js';

/** The tasks that no member does. */
const WAITING = 'herald:{test}:tasks:waiting';
/** The locks of the running tasks. */
const RUNNING = 'herald:{test}:tasks:running';

describeWith(['redis-server'], 'tasks of a fleet with members that come and go', () => {
  it('start in the order in which they were submitted', async () => {
    await setting(async ({ submitter, member, service }) => {
      await member(1);
      const texts = ['c', 'a', 'd', 'b', 'e'];
      await Promise.all(texts.map((text) => submit(submitter, { text, ms: 20 })));
      assert.deepEqual([...service.calls.keys()], texts);
    });
  });

  it('stay with their member for longer than a lock lasts', async () => {
    await setting(async ({ submitter, member, service }) => {
      await Promise.all([member(1), member(1)]);
      await submit(submitter, { text: 'long', ms: 5000 });
      assert.equal(service.count(), 1);
    });
  });

  it('are done once also if they disappear from Redis', async () => {
    await setting(async ({ submitter, member, service, redis }) => {
      await member(1);
      const release = service.hold();
      const results = Promise.all(['one', 'two'].map((text) => submit(submitter, { text })));
      await until(async () => service.count() === 1 && (await redis.cli('ZCARD', WAITING)) === '1');
      const jobs = (await redis.cli('KEYS', '*:tasks:j:*')).split('\n');
      assert.equal(jobs.length, 2);
      await redis.cli('DEL', WAITING, RUNNING, ...jobs);
      // The submitter adds both again.
      await until(async () => (await redis.cli('ZCARD', WAITING)) === '2');
      release();
      assert.equal((await results).length, 2);
      assert.equal(service.count(), 2);
    });
  });

  it('are done one at a time by a member that serves twice, and go on when it serves once', async () => {
    await setting(async ({ submitter, member, service }) => {
      const twice = await member(1);
      const second = new AbortController();
      let most = 0;
      let running = 0;
      const counted: Perform = async (task, signal) => {
        most = Math.max(most, ++running);
        return performAt(service.url)(task, signal).finally(() => running--);
      };
      twice.serve(counted, { concurrency: 1, signal: second.signal });
      await submit(submitter, { text: 'first' });
      assert.equal(most, 0);
      twice.stop();
      await Promise.all(['a', 'b', 'c'].map((text) => submit(submitter, { text, ms: 50 })));
      assert.equal(most, 1);
    });
  });

  it('fail after they ended several members', async () => {
    await setting(
      async ({ submitter, member, redis, service }) => {
        await member(1);
        const result = submit(submitter, { text: 'deadly', ms: 60_000 });
        const failed = assert.rejects(result, /4 members of the fleet ended/);
        for (let calls = 1; calls <= 4; calls++) {
          while (service.count() < calls) await sleep(10);
          // Another member takes the task over when its lock is lost.
          const [id = ''] = (await redis.cli('ZRANGE', RUNNING, '0', '0')).split('\n');
          await redis.cli('ZADD', RUNNING, '0', id);
          await member(1);
        }
        await failed;
      },
      { lockMs: 60_000 },
    );
  });

  it('go to another member at once when their member stops', async () => {
    await setting(
      async ({ submitter, member, service }) => {
        const first = await member(1);
        const result = submit(submitter, { text: 'moved', ms: 1500 });
        while (service.count() === 0) await sleep(10);
        await member(1);
        first.stop();
        assert(audioOf({ text: 'moved' }).equals((await result).data));
        assert.equal(service.count(), 2);
        assert.deepEqual(service.aborted, ['moved']);
      },
      // A task whose lock must expire first would not be done within the time of a test.
      { lockMs: 600_000 },
    );
  });
});
