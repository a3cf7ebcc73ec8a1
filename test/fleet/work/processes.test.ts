import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith } from '../../support/programs/describe-with.js';
import { type RedisServer, withRedis } from '../../support/programs/redis.js';
import { loadTypescript } from '../../support/run-typescript.js';
import { until } from '../../support/waiting.js';
import { audioOf, join, manyTasks, patient, type Service, withService } from './members.js';
import { spawned } from '../../support/spawned.js';

const COUNT = 90;
const tasks = manyTasks(COUNT);

/** Starts a member in a process. Resolves when it serves. */
async function startMember(
  redisUrl: string,
  service: Service,
  role: 'serve' | 'submit' = 'serve',
): Promise<ChildProcess> {
  const file = path.join(__dirname, 'member-process.ts');
  const args = [redisUrl, service.url, role === 'serve' ? '1' : '0', `${COUNT}`];
  const child = spawned(fork(file, args, { execArgv: [...loadTypescript] }));
  await once(child, 'message');
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

describeWith(['redis-server'], 'tasks of a fleet in several processes', () => {
  it('are each done once, and at most once more for each member that is killed', async () => {
    await withRedis((redis) =>
      withService(async (service) => {
        const members = await Promise.all([1, 2, 3].map(() => startMember(redis.url, service)));
        const submitter = await join(redis.url, patient);
        try {
          await until(async () => (await redis.cli('ZCARD', 'herald:{test}:tasks:members')) === '3');
          const signal = new AbortController().signal;
          const results = Promise.all(tasks.map((task) => submitter.submit(task.text, task, { signal })));
          while (service.count() < COUNT / 2) await sleep(5);
          const [killed] = members;
          if (killed) await end(killed, 'SIGKILL');
          (await results).forEach(({ data, result }, index) => {
            const task = tasks[index];
            assert(task && audioOf(task).equals(data));
            assert.deepEqual(result, { text: task.text, seconds: 1.5 });
          });
          assert.equal(service.calls.size, COUNT);
          assert(service.count() <= COUNT + 1, `${service.count()} calls`);
        } finally {
          await Promise.all([submitter.close(), ...members.map((member) => end(member, 'SIGTERM'))]);
        }
      }),
    );
  });

  it('keep their first result if a frozen member goes on after its task was taken over', async () => {
    await withRedis((redis) =>
      withService(async (service) => {
        const [frozen, other] = await Promise.all([1, 2].map(() => startMember(redis.url, service)));
        assert(frozen && other);
        const submitter = await join(redis.url, patient);
        try {
          const { signal } = new AbortController();
          const some = tasks.slice(0, 40);
          const results = Promise.all(some.map((task) => submitter.submit(task.text, task, { signal })));
          while (service.count() < 20) await sleep(5);
          frozen.kill('SIGSTOP');
          (await results).forEach(({ data }, index) => {
            const task = some[index];
            assert(task && audioOf(task).equals(data));
          });
          frozen.kill('SIGCONT');
          const last = tasks[COUNT - 1];
          assert(last && audioOf(last).equals((await submitter.submit(last.text, last, { signal })).data));
          assert(service.count() <= some.length + 2, `${service.count()} calls`);
        } finally {
          await Promise.all([submitter.close(), ...[frozen, other].map((member) => end(member, 'SIGKILL'))]);
        }
      }),
    );
  });

  it('are not done again after their submitter was killed and started again', async () => {
    await withRedis((redis) =>
      withService(async (service) => {
        const members = await Promise.all([1, 2].map(() => startMember(redis.url, service)));
        const killed = await startMember(redis.url, service, 'submit');
        const submitter = await join(redis.url, patient);
        try {
          const release = service.hold();
          killed.send('submit');
          while (service.count() < members.length) await sleep(5);
          // The submitter must not collect a result before it is killed.
          killed.kill('SIGSTOP');
          release();
          while ((await results(redis)) < members.length) await sleep(50);
          await end(killed, 'SIGKILL');
          const { signal } = new AbortController();
          await Promise.all(tasks.map((task) => submitter.submit(task.text, task, { signal })));
          assert.equal(service.count(), COUNT);
        } finally {
          await Promise.all([submitter.close(), ...members.map((member) => end(member, 'SIGTERM'))]);
          await end(killed, 'SIGKILL');
        }
      }),
    );
  });
});

async function results(redis: RedisServer): Promise<number> {
  const keys = await redis.cli('KEYS', '*:tasks:r:*');
  return keys === '' ? 0 : keys.split('\n').length;
}
