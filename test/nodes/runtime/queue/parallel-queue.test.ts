import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SpeechError } from '@herald-speech/client';
import * as fc from 'fast-check';
import { OrderedQueue } from '../../../../nodes/runtime/queue/queue.js';
import type { QueueJob } from '../../../../nodes/runtime/queue/queue-entry.js';

const reason = () => new SpeechError('aborted', 'stopped');

/** A queue whose jobs work for some turns of the event loop, then leave. */
class Bench {
  readonly left: { name: number; outcome: 'done' | 'stopped' }[] = [];
  running = 0;
  most = 0;
  turns = 0;
  readonly jobs: QueueJob[] = [];
  readonly queue: OrderedQueue;

  constructor(parallel: number) {
    this.queue = new OrderedQueue(1000, parallel);
  }

  add(turns: number, priority = 0): void {
    const name = this.jobs.length;
    const leave = (outcome: 'done' | 'stopped') => void this.left.push({ name, outcome });
    const job: QueueJob = {
      priority,
      drop: () => leave('stopped'),
      run: async (place) => {
        this.running += 1;
        this.most = Math.max(this.most, this.running);
        for (let turn = 0; turn < turns && !place.signal.aborted; turn += 1) await nextTurn();
        this.running -= 1;
        const outcome = await place.turn(true).then(
          () => (place.signal.aborted ? 'stopped' : 'done'),
          () => 'stopped' as const,
        );
        leave(outcome);
      },
    };
    this.jobs.push(job);
    assert.ok(this.queue.add(job));
  }

  async untilIdle(): Promise<void> {
    for (; this.queue.size > 0; this.turns += 1) await nextTurn();
  }

  names(outcome?: 'done' | 'stopped'): number[] {
    return this.left
      .filter((one) => outcome === undefined || one.outcome === outcome)
      .map(({ name }) => name);
  }
}

const sorted = (names: readonly number[]) => names.toSorted((a, b) => a - b);
const parallel = fc.integer({ min: 1, max: 6 });
const several = fc.integer({ min: 2, max: 6 });
const turns = fc.nat(6);
const pass = fc.constant({ pass: true as const });

describe('OrderedQueue with several jobs at a time', () => {
  it('lets jobs of equal priority leave in the order of their arrival, whatever their durations are', () =>
    fc.assert(
      fc.asyncProperty(parallel, fc.array(fc.oneof(turns, pass), { maxLength: 40 }), async (most, steps) => {
        const bench = new Bench(most);
        for (const step of steps) {
          if (typeof step === 'number') bench.add(step);
          else await nextTurn();
        }
        await bench.untilIdle();
        assert.deepEqual(bench.names('done'), [...bench.jobs.keys()]);
        assert.ok(bench.most <= most);
      }),
      { numRuns: 150 },
    ));

  it('lets jobs of one tick leave in the order of a queue that runs one job at a time', () =>
    fc.assert(
      fc.asyncProperty(
        parallel,
        fc.array(fc.tuple(turns, fc.integer({ min: -1, max: 1 })), { maxLength: 30 }),
        async (most, jobs) => {
          const [several, one] = [new Bench(most), new Bench(1)];
          for (const bench of [several, one]) {
            for (const [duration, priority] of jobs) bench.add(duration, priority);
            await bench.untilIdle();
          }
          assert.deepEqual(several.left, one.left);
        },
      ),
      { numRuns: 100 },
    ));

  it('lets no job leave before a job of a higher priority, whenever that job arrives', () =>
    fc.assert(
      fc.asyncProperty(
        several,
        fc.array(fc.oneof(fc.tuple(turns, fc.integer({ min: -1, max: 1 })), pass), { maxLength: 40 }),
        async (most, steps) => {
          const bench = new Bench(most);
          let seen = 0;
          const check = () => {
            for (const name of bench.names().slice(seen)) {
              const before = bench.names().slice(0, seen);
              const waiting = [...bench.jobs.entries()].filter(([index]) => !before.includes(index));
              const [best] = waiting.toSorted(([a, { priority: x }], [b, { priority: y }]) => y - x || a - b);
              assert.equal(name, best?.[0]);
              seen += 1;
            }
          };
          for (const step of steps) {
            if (Array.isArray(step)) bench.add(...step);
            else await nextTurn();
            check();
          }
          for (; bench.queue.size > 0; check()) await nextTurn();
        },
      ),
      { numRuns: 150 },
    ));

  it('lets no job overtake a running job if jobs run one at a time', async () => {
    const bench = new Bench(1);
    for (const duration of [5, 5]) bench.add(duration);
    await nextTurn();
    await nextTurn();
    bench.add(1, 1);
    await bench.untilIdle();
    assert.deepEqual(bench.names('done'), [0, 2, 1]);
    assert.equal(bench.most, 1);
  });

  it('lets no job overtake a job that has sent messages', async () => {
    const bench = new Bench(2);
    const order: string[] = [];
    const sends: QueueJob = {
      priority: 0,
      drop: () => assert.fail(),
      run: async (place) => {
        await place.turn();
        for (let turn = 0; turn < 10; turn += 1) await nextTurn();
        order.push(`sends, after ${bench.left.length} others`);
      },
    };
    bench.queue.add(sends);
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    bench.add(1, 1);
    await bench.untilIdle();
    assert.deepEqual(order, ['sends, after 0 others']);
  });

  for (const running of [true, false]) {
    it(`keeps the order if a newer job stops earlier ones, ${running ? 'with' : 'without'} the job whose turn it is`, () =>
      fc.assert(
        fc.asyncProperty(
          parallel,
          fc.array(fc.oneof(turns, fc.constant({ stop: true as const }), pass), { maxLength: 40 }),
          async (most, steps) => {
            const bench = new Bench(most);
            for (const step of steps) {
              const before = bench.jobs.at(-1);
              if (typeof step === 'number') bench.add(step);
              else if ('stop' in step) bench.queue.stop(reason(), { running, ...(before && { before }) });
              else await nextTurn();
            }
            await bench.untilIdle();
            assert.deepEqual(sorted(bench.names()), [...bench.jobs.keys()]);
            if (running) assert.deepEqual(bench.names(), sorted(bench.names()));
            for (const outcome of ['done', 'stopped'] as const)
              assert.deepEqual(bench.names(outcome), sorted(bench.names(outcome)));
          },
        ),
        { numRuns: 150 },
      ));
  }

  it('finishes 60 equal jobs, four at a time, in the time of 15', async () => {
    const bench = new Bench(4);
    for (let index = 0; index < 60; index += 1) bench.add(10);
    await bench.untilIdle();
    assert.ok(bench.turns <= 15 * 10 + 2, `${bench.turns} turns`);
    assert.equal(bench.most, 4);
  });

  it('works on the next jobs during a slow job, and limits the finished jobs that wait for it', async () => {
    const bench = new Bench(3);
    bench.add(100);
    for (let index = 0; index < 20; index += 1) bench.add(1);
    let finished = 0;
    for (let turn = 0; turn < 50; turn += 1) {
      await nextTurn();
      finished = Math.max(finished, bench.most);
    }
    assert.deepEqual(bench.left, []);
    assert.equal(bench.running, 1);
    assert.equal(finished, 3);
    await bench.untilIdle();
    assert.deepEqual(bench.names('done'), [...bench.jobs.keys()]);
  });

  it('lets a job of higher priority leave before all running jobs', async () => {
    const bench = new Bench(3);
    for (const duration of [20, 5, 5, 5]) bench.add(duration);
    await nextTurn();
    await nextTurn();
    bench.add(5, 1);
    await bench.untilIdle();
    assert.deepEqual(bench.names('done'), [4, 0, 1, 2, 3]);
  });

  it('lets the next jobs leave while a job that has handed over still runs', async () => {
    const bench = new Bench(2);
    let ended = false;
    const early: QueueJob = {
      priority: 0,
      drop: () => assert.fail(),
      run: async (place) => {
        await place.turn();
        place.leave();
        while (bench.left.length < 2) await nextTurn();
        ended = true;
      },
    };
    bench.queue.add(early);
    bench.add(2);
    bench.add(2);
    await bench.untilIdle();
    assert.deepEqual(bench.names('done'), [0, 1]);
    assert.ok(ended);
  });

  it('starts a job of higher priority for which all running jobs wait', async () => {
    const bench = new Bench(2);
    const order: string[] = [];
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const job = (name: string, priority: number, run: QueueJob['run']): QueueJob => ({
      priority,
      drop: () => assert.fail(),
      run: (place) => run(place).then(() => void order.push(name)),
    });
    const writing = job('writes', 0, async (place) => {
      await place.turn(true);
      await ended;
    });
    bench.queue.add(writing);
    await nextTurn();
    await nextTurn();
    for (const name of ['a', 'b']) bench.queue.add(job(name, 0, (place) => place.turn()));
    await nextTurn();
    await nextTurn();
    bench.queue.add(job('urgent', 1, (place) => place.turn(true)));
    end();
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    assert.deepEqual(order, ['writes', 'urgent', 'a', 'b']);
  });
});
