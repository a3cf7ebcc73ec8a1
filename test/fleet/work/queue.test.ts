import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpeechError } from '@herald-speech/client';
import { Redis } from 'ioredis';
import { audioOf, type Task } from './members.js';
import { codeIs, setting, signal, submit } from './setting.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { until } from '../../support/waiting.js';

describeWith(['redis-server'], 'tasks of a fleet', () => {
  it('are done by another member, with audio of several chunks', async () => {
    await setting(async ({ submitter, member, service }) => {
      await member(2);
      const task = { text: 'one', bytes: 1_000_000 };
      const { result, data } = await submit(submitter, task);
      assert.deepEqual(result, { text: 'one', seconds: 1.5 });
      assert(audioOf(task).equals(data));
      assert.equal(service.count(), 1);
    });
  });

  it('reach another member also with a megabyte of data', async () => {
    await setting(async ({ submitter, member, service }) => {
      await member(1);
      const task = { text: `é${'word '.repeat(200_000)}` };
      assert(audioOf(task).equals((await submit(submitter, task)).data));
      assert.deepEqual([...service.calls.keys()], [task.text]);
    });
  });

  it('leave no result in Redis after they were collected', async () => {
    await setting(async ({ submitter, member, redis }) => {
      await member(2);
      await submit(submitter, { text: 'one' });
      await sleep(100);
      const keys = (await redis.cli('KEYS', '*:tasks:*')).split('\n').sort();
      assert.deepEqual(keys, ['herald:{test}:tasks:bytes', 'herald:{test}:tasks:members']);
      assert.equal(await redis.cli('GET', 'herald:{test}:tasks:bytes'), '0');
    });
  });

  it('are one call if two members submit equal tasks', async () => {
    await setting(async ({ submitter, member, service }) => {
      const other = await member(4);
      const task = { text: 'same', ms: 200 };
      const results = await Promise.all([
        submit(submitter, task),
        submit(other, task),
        submit(submitter, task),
      ]);
      for (const { data } of results) assert(audioOf(task).equals(data));
      assert.equal(service.count(), 1);
    });
  });

  it('return a fatal error with its details after one call, and start again if they are submitted again', async () => {
    await setting(async ({ submitter, member, service }) => {
      await member(1);
      const task: Task = { text: 'wrong', failure: { times: 1, code: 'bad-request', status: 400 } };
      await assert.rejects(submit(submitter, task), (error) => {
        assert(error instanceof SpeechError);
        const { code, status, message, attempts } = error;
        assert.deepEqual(
          { code, status, message, attempts },
          { code: 'bad-request', status: 400, message: 'refused wrong', attempts: 1 },
        );
        return true;
      });
      assert.equal(service.count(), 1);
      assert(audioOf(task).equals((await submit(submitter, task)).data));
      assert.equal(service.count(), 2);
    });
  });

  it('are tried again after a retryable error, and return it after the last try', async () => {
    await setting(async ({ submitter, member, service }) => {
      await member(1);
      const failure = { code: 'rate-limited' as const, status: 429, retryAfter: 0.2 };
      await submit(submitter, { text: 'late', failure: { ...failure, times: 2 } });
      assert.equal(service.calls.get('late'), 3);
      await assert.rejects(
        submit(submitter, { text: 'never', failure: { ...failure, times: 9 } }),
        (error) => {
          assert(error instanceof SpeechError);
          assert.deepEqual([error.code, error.status, error.retryAfter], ['rate-limited', 429, 0.2]);
          return true;
        },
      );
      assert.equal(service.calls.get('never'), 3);
    });
  });

  it('end when their submitter aborts: a running task is stopped, a waiting task is removed', async () => {
    await setting(async ({ submitter, member, service, redis }) => {
      await member(1);
      const abort = new AbortController();
      const running = submit(submitter, { text: 'running', ms: 20_000 }, { signal: abort.signal });
      while (service.count() === 0) await sleep(10);
      const waiting = submit(submitter, { text: 'waiting' }, { signal: abort.signal });
      await sleep(100);
      abort.abort();
      await assert.rejects(running, codeIs('aborted'));
      await assert.rejects(waiting, codeIs('aborted'));
      while (service.aborted.length === 0) await sleep(10);
      await submit(submitter, { text: 'next' });
      assert.deepEqual([...service.calls.keys()], ['running', 'next']);
      assert.equal(await redis.cli('KEYS', '*:tasks:j:*'), '');
    });
  });

  it('wait until Redis has room for their results', async () => {
    await setting(
      async ({ submitter, member, redis }) => {
        await member(8);
        const tasks = Array.from({ length: 20 }, (_, index) => ({
          text: `task ${index}`,
          bytes: 500_000,
          ms: 20,
        }));
        let most = 0;
        const observer = new Redis(redis.url);
        const watch = setInterval(() => {
          void observer
            .get('herald:{test}:tasks:bytes')
            .then((bytes) => (most = Math.max(most, Number(bytes))));
        }, 20);
        const results = await Promise.all(tasks.map((task) => submit(submitter, task)));
        clearInterval(watch);
        await observer.quit();
        results.forEach(({ data }, index) => assert(audioOf(tasks[index] ?? { text: '' }).equals(data)));
        assert(most > 0 && most <= 6_000_000, `${most} bytes`);
      },
      { totalBytes: 6_000_000, fullMs: 20 },
    );
  });

  it('are done as many at a time as the members do, however few of the largest results Redis has room for', async () => {
    await setting(
      async ({ submitter, member, service }) => {
        await member(20);
        const release = service.hold();
        const tasks = Array.from({ length: 20 }, (_, index) => ({ text: `task ${index}`, bytes: 100 }));
        const results = Promise.all(tasks.map((task) => submit(submitter, task)));
        await until(() => service.count() === 20);
        release();
        assert.equal((await results).length, 20);
      },
      { totalBytes: 20_000_000 },
    );
  });

  it('are stored after a time also if all of Redis is filled with tasks', async () => {
    await setting(
      async ({ submitter, member }) => {
        await member(4);
        const tasks = Array.from({ length: 4 }, (_, index) => ({
          text: `${index} ${'word '.repeat(1000)}`,
          bytes: 300_000,
        }));
        const results = await Promise.all(tasks.map((task) => submit(submitter, task)));
        results.forEach(({ data }) => assert.equal(data.length, 300_000));
      },
      { totalBytes: 1_100_000, fullMs: 20, roomMs: 100 },
    );
  });

  it('are left to their submitter if the result is too large or no member serves', async () => {
    await setting(
      async ({ submitter, member }) => {
        await assert.rejects(submitter.submit('a', { text: 'a' }, { signal }), codeIs('no-connection'));
        await member(1);
        await assert.rejects(submit(submitter, { text: 'long', bytes: 10_001 }), /10001 bytes/);
      },
      { resultBytes: 10_000 },
    );
  });
});
