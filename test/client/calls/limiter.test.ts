import assert from 'node:assert/strict';
import { getEventListeners, setMaxListeners } from 'node:events';
import * as fc from 'fast-check';
import { createLimiter, type Limiter } from '../../../client/calls/limiter.js';
import type { Bucket } from '../../../client/interface/operation.js';
import { type FakeClock, withFakeClock } from '../../support/fake-clock.js';
import { usedHeap } from '../../support/heap.js';
import { rejection } from '../../support/rejection.js';
import { never } from '../../support/waiting.js';

const MINUTE = 60_000;
/** Acquires `count` places at once and returns the times at which they are granted. */
function acquireMany(
  limiter: Limiter,
  clock: FakeClock,
  count: number,
  bucket: Bucket = 'general',
): number[] {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    void limiter.acquire(bucket, { signal: never }).then(() => times.push(clock.now()));
  }
  return times;
}

/** The highest number of times within one minute. */
const busiestMinute = (times: readonly number[]) =>
  Math.max(0, ...times.map((start) => times.filter((time) => time >= start && time < start + MINUTE).length));

describe('createLimiter', () => {
  for (const requestsPerMinute of [20, 30, 60, 7]) {
    it(`grants at most ${requestsPerMinute} and at least 99 % of that in any minute`, () =>
      withFakeClock(async (clock) => {
        const limiter = createLimiter({ requestsPerMinute });
        const times = acquireMany(limiter, clock, requestsPerMinute * 10);
        await clock.advance(5 * MINUTE);
        assert.equal(busiestMinute(times), requestsPerMinute);
        assert.ok(times.length >= requestsPerMinute * 5 * 0.99);
        limiter.close();
      }));
  }

  it('grants at most its limit in any minute for any spacing of calls', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 60 }), (gaps) =>
        withFakeClock(async (clock) => {
          const limiter = createLimiter({ requestsPerMinute: 5 });
          const times: number[] = [];
          for (const gap of gaps) {
            await clock.advance(gap);
            void limiter.acquire('general', { signal: never }).then(() => times.push(clock.now()));
          }
          await clock.advance((gaps.length / 5 + 1) * (MINUTE + 200));
          assert.equal(times.length, gaps.length);
          assert.ok(busiestMinute(times) <= 5);
          assert.equal(clock.pending(), 0);
        }),
      ),
      { numRuns: 20 },
    ));

  it('grants ten clones per minute, each of which also counts as a request', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 20 });
      const clones = acquireMany(limiter, clock, 25, 'clone');
      const others = acquireMany(limiter, clock, 100);
      await clock.advance(4 * MINUTE);
      assert.equal(clones.length, 25);
      assert.equal(busiestMinute(clones), 10);
      assert.equal(busiestMinute([...clones, ...others]), 20);
      limiter.close();
    }));

  it('grants ten clones per minute also after they waited for other requests', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 20 });
      acquireMany(limiter, clock, 20);
      await clock.advance(1000);
      const clones = acquireMany(limiter, clock, 30, 'clone');
      await clock.advance(5 * MINUTE);
      assert.equal(clones.length, 30);
      assert.equal(busiestMinute(clones), 10);
    }));

  it('grants other requests before a clone that must wait', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 60, clonesPerMinute: 1 });
      acquireMany(limiter, clock, 5, 'clone');
      const others = acquireMany(limiter, clock, 10);
      await clock.advance(1);
      assert.equal(others.length, 10);
      limiter.close();
    }));

  it('grants higher priorities first and equal priorities in order', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 1 });
      const order: string[] = [];
      const ask = (name: string, priority: number) =>
        void limiter.acquire('general', { signal: never, priority }).then(() => order.push(name));
      ask('first', 0);
      for (const name of ['speech 1', 'speech 2', 'speech 3']) ask(name, -1);
      for (const name of ['free 1', 'free 2']) ask(name, 0);
      await clock.advance(7 * MINUTE);
      assert.deepEqual(order, ['first', 'free 1', 'free 2', 'speech 1', 'speech 2', 'speech 3']);
    }));

  it('with `auto`, starts at 60 per minute and steps down to 30 and 20', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 'auto' });
      const allowance = async () => {
        await clock.advance(2 * MINUTE);
        const giveUp = new AbortController();
        setMaxListeners(0, giveUp.signal);
        const asked = Array.from({ length: 100 }, () =>
          limiter.acquire('general', { signal: giveUp.signal }).then(
            () => 1,
            () => 0,
          ),
        );
        giveUp.abort();
        const given: number[] = await Promise.all(asked);
        return given.reduce((sum, one) => sum + one, 0);
      };
      for (const expected of [60, 30, 20, 20]) {
        assert.equal(await allowance(), expected);
        limiter.stepDown('general', clock.now());
      }
    }));

  it('with `auto`, steps down once for a burst of refusals', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 'auto' });
      const sentAt = clock.now();
      await clock.advance(100);
      for (let refusal = 0; refusal < 8; refusal += 1) limiter.stepDown('general', sentAt + refusal);
      const times = acquireMany(limiter, clock, 100);
      await clock.advance(1);
      assert.equal(times.length, 30);
      limiter.close();
    }));

  it('with a number, never steps down', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 60 });
      limiter.stepDown('general', clock.now());
      const times = acquireMany(limiter, clock, 60);
      await clock.advance(1);
      assert.equal(times.length, 60);
    }));

  it('grants no call of a paused bucket until the later of two pauses ends, then one call until that call ends', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: Infinity });
      const start = clock.now();
      limiter.pause('general', start + 5000);
      limiter.pause('general', start + 1000);
      const times = [acquireMany(limiter, clock, 3), acquireMany(limiter, clock, 3, 'clone')];
      await clock.advance(4999);
      assert.deepEqual(times.flat(), []);
      await clock.advance(2);
      assert.equal(times.flat().length, 1);
      limiter.ended('general', start);
      await clock.advance(1);
      assert.equal(times.flat().length, 1);
      limiter.ended('general', clock.now());
      await clock.advance(1);
      assert.equal(times.flat().length, 6);
      assert.equal(clock.pending(), 0);
    }));

  it('grants other requests while clones are paused', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 60 });
      limiter.pause('clone', clock.now() + 5000);
      const clones = acquireMany(limiter, clock, 1, 'clone');
      const others = acquireMany(limiter, clock, 1);
      await clock.advance(1000);
      assert.deepEqual([clones.length, others.length], [0, 1]);
      await clock.advance(5000);
      assert.equal(clones.length, 1);
    }));

  it('rejects a call with busy if `maxWaiting` calls are waiting', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 1, maxWaiting: 2 });
      acquireMany(limiter, clock, 3);
      const error = await rejection(limiter.acquire('general', { signal: never }));
      assert.equal(error.code, 'busy');
      assert.equal(error.route, 'retryable');
      await clock.advance(3 * MINUTE);
      assert.equal(clock.pending(), 0);
    }));

  it('rejects a call at once, with the seconds to wait, if its deadline is too early', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 1 });
      acquireMany(limiter, clock, 1);
      const late = { signal: never, deadline: clock.now() + 10_000 };
      const patient = new AbortController();
      const waiting = rejection(limiter.acquire('general', { signal: patient.signal }));
      const error = await rejection(limiter.acquire('general', late));
      assert.equal(error.code, 'rate-limited');
      assert.equal(error.retryAfter, 61);
      assert.match(error.message, /61 s/);
      patient.abort();
      await waiting;
      assert.equal(clock.pending(), 0);
    }));

  it('rejects a waiting call when a pause exceeds its deadline', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 1 });
      acquireMany(limiter, clock, 1);
      const waiting = limiter.acquire('general', { signal: never, deadline: clock.now() + 90_000 });
      limiter.pause('general', clock.now() + 120_000);
      const error = await rejection(waiting);
      assert.deepEqual([error.code, error.retryAfter], ['rate-limited', 120]);
    }));

  it('calls `onWait` with the seconds only for a call that must wait', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 1 });
      const waits: number[] = [];
      const ask = () =>
        limiter.acquire('general', { signal: never, onWait: (seconds) => waits.push(seconds) });
      await ask();
      assert.deepEqual(waits, []);
      void ask();
      assert.deepEqual(waits, [60.1]);
      await clock.advance(2 * MINUTE);
    }));

  it('frees the place, listener and timer of a call that is aborted during its wait', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 1 });
      acquireMany(limiter, clock, 1);
      const controller = new AbortController();
      const error = rejection(limiter.acquire('general', { signal: controller.signal }));
      controller.abort();
      assert.equal((await error).code, 'aborted');
      assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
      assert.equal(clock.pending(), 0);
      const times = acquireMany(limiter, clock, 1);
      await clock.advance(MINUTE + 200);
      assert.equal(times.length, 1);
    }));

  it('rejects waiting and later calls on close, and clears its timers', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 1 });
      acquireMany(limiter, clock, 1);
      const waiting = ['general', 'clone'] as const;
      const errors = waiting.map((bucket) => rejection(limiter.acquire(bucket, { signal: never })));
      limiter.close();
      errors.push(rejection(limiter.acquire('general', { signal: never })));
      for (const error of await Promise.all(errors)) assert.equal(error.code, 'aborted');
      assert.equal(clock.pending(), 0);
    }));

  it('keeps the times of one minute only, also with a high limit', async () => {
    const limiter = createLimiter({ requestsPerMinute: 1e9 });
    const signal = never;
    const { now } = performance;
    let time = 0;
    const minute = async () => {
      time += 2 * MINUTE;
      for (let index = 0; index < 50_000; index += 1) await limiter.acquire('general', { signal });
    };
    // The mock functions of node:test record every call, which would distort the heap size.
    performance.now = () => time;
    try {
      await minute();
      const before = usedHeap();
      for (let round = 0; round < 3; round += 1) await minute();
      assert.ok(usedHeap() - before < 500_000);
    } finally {
      performance.now = now;
    }
  });

  it('keeps no times and no listeners if the limit is Infinity', async () => {
    const limiter = createLimiter({ requestsPerMinute: Infinity, clonesPerMinute: Infinity });
    const { signal } = new AbortController();
    const run = async () => {
      for (let index = 0; index < 50_000; index += 1) await limiter.acquire('clone', { signal });
    };
    await run();
    const before = usedHeap();
    for (let round = 0; round < 3; round += 1) await run();
    // 150,000 recorded times would take more than 1 MB, and listeners far more.
    assert.ok(usedHeap() - before < 500_000);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});
