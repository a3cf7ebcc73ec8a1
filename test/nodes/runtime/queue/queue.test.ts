import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SpeechError } from '@herald-speech/client';
import * as fc from 'fast-check';
import { OrderedQueue } from '../../../../nodes/runtime/queue/queue.js';
import type { QueueJob } from '../../../../nodes/runtime/queue/queue-entry.js';

const reason = (message = 'stopped') => new SpeechError('aborted', message);

/** Jobs that log their start and end. Each runs for some turns of the event loop, or until it is stopped. */
function loggedJobs() {
  const log: string[] = [];
  const job = (name: string | number, turns = 1, priority = 0): QueueJob => ({
    priority,
    run: async ({ signal }) => {
      log.push(`${name} begins`);
      for (let turn = 0; turn < turns && !signal.aborted; turn += 1) await nextTurn();
      log.push(`${name} ${signal.aborted ? 'is stopped' : 'ends'}`);
    },
    drop: () => log.push(`${name} is dropped`),
  });
  return { log, job };
}

const idle = async (queue: OrderedQueue) => {
  while (queue.size > 0) await nextTurn();
};

describe('OrderedQueue', () => {
  it('runs each job once, in order, one at a time', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat(4), { maxLength: 30 }), async (turns) => {
        const queue = new OrderedQueue();
        const { log, job } = loggedJobs();
        for (const [index, count] of turns.entries()) queue.add(job(index, count));
        await idle(queue);
        assert.deepEqual(
          log,
          turns.flatMap((_, index) => [`${index} begins`, `${index} ends`]),
        );
      }),
      { numRuns: 30 },
    ));

  it('runs higher priorities first and equal priorities in order', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 20 }), async (priorities) => {
        const queue = new OrderedQueue();
        const { log, job } = loggedJobs();
        const jobs = priorities.map((priority, index) => ({ index, priority }));
        for (const { index, priority } of jobs) queue.add(job(index, 0, priority));
        await idle(queue);
        const began = log.filter((line) => line.endsWith('begins'));
        const expected = jobs.toSorted((a, b) => b.priority - a.priority || a.index - b.index);
        assert.deepEqual(
          began,
          expected.map(({ index }) => `${index} begins`),
        );
      }),
      { numRuns: 50 },
    ));

  it('refuses a job if the queue is full, and accepts one after others have ended', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(5), fc.integer({ min: 1, max: 5 }), async (maxWaiting, more) => {
        const queue = new OrderedQueue(maxWaiting);
        const { log, job } = loggedJobs();
        const taken = Array.from({ length: maxWaiting + 1 + more }, (_, index) => queue.add(job(index)));
        assert.equal(taken.filter(Boolean).length, maxWaiting + 1);
        await idle(queue);
        assert.equal(log.filter((line) => line.endsWith('ends')).length, maxWaiting + 1);
        assert.ok(queue.add(job('later')));
        await idle(queue);
      }),
      { numRuns: 30 },
    ));

  it('runs one job at a time even if a dropped job adds another', async () => {
    const queue = new OrderedQueue();
    const { log, job } = loggedJobs();
    queue.add(job('running', 3));
    queue.add({ ...job('waiting'), drop: () => void queue.add(job('again')) });
    await nextTurn();
    queue.stop(reason(), { running: true });
    queue.add(job('next'));
    await idle(queue);
    assert.deepEqual(log, [
      'running begins',
      'running is stopped',
      'next begins',
      'next ends',
      'again begins',
      'again ends',
    ]);
  });
});

describe('OrderedQueue.stop', () => {
  it('drops waiting jobs at once and lets the running job end', async () => {
    const queue = new OrderedQueue();
    const { log, job } = loggedJobs();
    for (const name of ['first', 'second', 'third']) queue.add(job(name, 2));
    await nextTurn();
    queue.stop(reason());
    assert.deepEqual(log.slice(1), ['second is dropped', 'third is dropped']);
    await idle(queue);
    assert.equal(log.at(-1), 'first ends');
  });

  it('stops also the running job on request, and keeps the order', async () => {
    const queue = new OrderedQueue();
    const { log, job } = loggedJobs();
    for (const name of ['first', 'second', 'third']) queue.add(job(name, 9));
    await nextTurn();
    queue.stop(reason(), { running: true });
    await idle(queue);
    const left = ['first begins', 'first is stopped', 'second is dropped', 'third is dropped'];
    assert.deepEqual(log, left);
  });

  it('passes its reason to the running job and to dropped jobs', async () => {
    const queue = new OrderedQueue();
    const reasons: unknown[] = [];
    const waits = (signal: AbortSignal) =>
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    const drop = (why: SpeechError) => reasons.push(why);
    queue.add({
      priority: 0,
      drop,
      run: ({ signal }) => waits(signal).then(() => void reasons.push(signal.reason)),
    });
    queue.add({ priority: 0, drop, run: ({ signal }) => waits(signal) });
    await nextTurn();
    const why = reason('replaced');
    queue.stop(why, { running: true });
    await idle(queue);
    assert.deepEqual(reasons, [why, why]);
  });

  it('with `before`, keeps later jobs and jobs of higher priority', async () => {
    const queue = new OrderedQueue();
    const { log, job } = loggedJobs();
    const alarm = job('alarm', 1, 5);
    const news = job('news');
    for (const each of [job('old'), job('older'), alarm, news, job('later')]) queue.add(each);
    await nextTurn();
    queue.stop(reason(), { before: news, running: true });
    assert.deepEqual(log.splice(0), ['alarm begins', 'old is dropped', 'older is dropped']);
    await idle(queue);
    assert.deepEqual(log, ['alarm ends', 'news begins', 'news ends', 'later begins', 'later ends']);
  });
});

describe('OrderedQueue.close', () => {
  it('resolves when the running job has ended, and drops jobs added later', async () => {
    const queue = new OrderedQueue();
    const { log, job } = loggedJobs();
    queue.add(job('running', 9));
    queue.add(job('waiting'));
    await nextTurn();
    const closed = queue.close(reason());
    queue.add(job('late'));
    await closed;
    queue.add(job('too late'));
    assert.deepEqual(log, [
      'running begins',
      'running is stopped',
      'waiting is dropped',
      'late is dropped',
      'too late is dropped',
    ]);
    assert.equal(queue.size, 0);
  });
});

/** Sequences of operations on a queue: add a job, stop jobs, or let a turn of the event loop pass. */
const events = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ add: fc.integer({ min: -1, max: 1 }), turns: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ stop: fc.boolean(), toLast: fc.boolean() }) },
    { weight: 4, arbitrary: fc.constant({ pass: true }) },
  ),
  { maxLength: 60 },
);

describe('OrderedQueue under any sequence of operations', () => {
  it('runs or drops every accepted job exactly once, and never runs two at a time', () =>
    fc.assert(
      fc.asyncProperty(events, fc.boolean(), async (steps, closing) => {
        const queue = new OrderedQueue(8);
        const left = new Map<number, number>();
        let running = 0;
        let last: QueueJob | undefined;
        let count = 0;
        const leave = (name: number) => void left.set(name, (left.get(name) ?? 0) + 1);
        const jobOf = (name: number, priority: number, turns: number): QueueJob => ({
          priority,
          drop: () => leave(name),
          run: async ({ signal }) => {
            running += 1;
            assert.equal(running, 1);
            for (let turn = 0; turn < turns && !signal.aborted; turn += 1) await nextTurn();
            running -= 1;
            leave(name);
          },
        });
        for (const step of steps) {
          if ('add' in step) {
            const job = jobOf(count, step.add, step.turns);
            if (queue.add(job)) [last, count] = [job, count + 1];
          } else if ('stop' in step) {
            queue.stop(reason(), { running: step.stop, ...(step.toLast && last && { before: last }) });
          } else {
            await nextTurn();
          }
        }
        if (closing) await queue.close(reason());
        else await idle(queue);
        assert.deepEqual(
          [...left].sort(([a], [b]) => a - b),
          Array.from({ length: count }, (_, name) => [name, 1]),
        );
      }),
      { numRuns: 200 },
    ));
});
