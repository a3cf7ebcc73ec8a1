import assert from 'node:assert/strict';
import { getEventListeners, setMaxListeners } from 'node:events';
import * as fc from 'fast-check';
import { createLimiter, type Limiter } from '../../../client/calls/limiter.js';
import type { Bucket } from '../../../client/interface/operation.js';
import { type FakeClock, withFakeClock } from '../../support/fake-clock.js';
import { usedHeap } from '../../support/heap.js';
import { rejection } from '../../support/rejection.js';

const MINUTE = 60_000;
const never = () => new AbortController().signal;

/** Asks for `count` places at once and notes when each was given. */
function askFor(limiter: Limiter, clock: FakeClock, count: number, bucket: Bucket = 'general'): number[] {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    void limiter.acquire(bucket, { signal: never() }).then(() => times.push(clock.now()));
  }
  return times;
}

/** The most that lies within any minute. */
const busiestMinute = (times: readonly number[]) =>
  Math.max(0, ...times.map((start) => times.filter((time) => time >= start && time < start + MINUTE).length));

describe('the rate limit', () => {
  for (const requestsPerMinute of [20, 30, 60, 7]) {
    it(`lets ${requestsPerMinute} requests go in any minute: never more, and hardly fewer`, () =>
      withFakeClock(async (clock) => {
        const limiter = createLimiter({ requestsPerMinute });
        const times = askFor(limiter, clock, requestsPerMinute * 10);
        await clock.advance(5 * MINUTE);
        assert.equal(busiestMinute(times), requestsPerMinute);
        assert.ok(times.length >= requestsPerMinute * 5 * 0.99);
        limiter.close();
      }));
  }

  it('is never exceeded, however requests are spread over time', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 60 }), (gaps) =>
        withFakeClock(async (clock) => {
          const limiter = createLimiter({ requestsPerMinute: 5 });
          const times: number[] = [];
          for (const gap of gaps) {
            await clock.advance(gap);
            void limiter.acquire('general', { signal: never() }).then(() => times.push(clock.now()));
          }
          await clock.advance((gaps.length / 5 + 1) * (MINUTE + 200));
          assert.equal(times.length, gaps.length);
          assert.ok(busiestMinute(times) <= 5);
          assert.equal(clock.pending(), 0);
        }),
      ),
      { numRuns: 20 },
    ));

  it('lets ten clones a minute go, and each counts as a request as well', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 20 });
      const clones = askFor(limiter, clock, 25, 'clone');
      const others = askFor(limiter, clock, 100);
      await clock.advance(4 * MINUTE);
      assert.equal(clones.length, 25);
      assert.equal(busiestMinute(clones), 10);
      assert.equal(busiestMinute([...clones, ...others]), 20);
      limiter.close();
    }));

  it('lets a clone that had to wait for other requests go without a second burst of clones', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 20 });
      askFor(limiter, clock, 20);
      await clock.advance(1000);
      const clones = askFor(limiter, clock, 30, 'clone');
      await clock.advance(5 * MINUTE);
      assert.equal(clones.length, 30);
      assert.equal(busiestMinute(clones), 10);
    }));

  it('keeps no request waiting behind a clone that has to wait', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 60, clonesPerMinute: 1 });
      askFor(limiter, clock, 5, 'clone');
      const others = askFor(limiter, clock, 10);
      await clock.advance(1);
      assert.equal(others.length, 10);
      limiter.close();
    }));

  it('keeps the order of calls, except that a higher priority goes first', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 1 });
      const order: string[] = [];
      const ask = (name: string, priority: number) =>
        void limiter.acquire('general', { signal: never(), priority }).then(() => order.push(name));
      ask('first', 0);
      for (const name of ['speech 1', 'speech 2', 'speech 3']) ask(name, -1);
      for (const name of ['free 1', 'free 2']) ask(name, 0);
      await clock.advance(7 * MINUTE);
      assert.deepEqual(order, ['first', 'free 1', 'free 2', 'speech 1', 'speech 2', 'speech 3']);
    }));

  it('set to auto starts with 60 a minute and steps down to 30 and then 20, and no further', () =>
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

  it('set to auto steps down once for a burst of refusals', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 'auto' });
      const sentAt = clock.now();
      await clock.advance(100);
      for (let refusal = 0; refusal < 8; refusal += 1) limiter.stepDown('general', sentAt + refusal);
      const times = askFor(limiter, clock, 100);
      await clock.advance(1);
      assert.equal(times.length, 30);
      limiter.close();
    }));

  it('set to a number stays there, whatever is refused', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 60 });
      limiter.stepDown('general', clock.now());
      const times = askFor(limiter, clock, 60);
      await clock.advance(1);
      assert.equal(times.length, 60);
    }));

  it('paused, lets nothing of its bucket go before the time, and a shorter pause does not end it', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: Infinity });
      const start = clock.now();
      limiter.pause('general', start + 5000);
      limiter.pause('general', start + 1000);
      const times = [askFor(limiter, clock, 3), askFor(limiter, clock, 3, 'clone')];
      await clock.advance(4999);
      assert.deepEqual(times.flat(), []);
      await clock.advance(2);
      assert.equal(times.flat().length, 6);
      assert.equal(clock.pending(), 0);
    }));

  it('paused for clones, still lets other requests go', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 60 });
      limiter.pause('clone', clock.now() + 5000);
      const clones = askFor(limiter, clock, 1, 'clone');
      const others = askFor(limiter, clock, 1);
      await clock.advance(1000);
      assert.deepEqual([clones.length, others.length], [0, 1]);
      await clock.advance(5000);
      assert.equal(clones.length, 1);
    }));

  it('refuses a call as busy when as many as allowed wait already', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 1, maxWaiting: 2 });
      askFor(limiter, clock, 3);
      const error = await rejection(limiter.acquire('general', { signal: never() }));
      assert.equal(error.code, 'busy');
      assert.equal(error.route, 'retryable');
      await clock.advance(3 * MINUTE);
      assert.equal(clock.pending(), 0);
    }));

  it('tells a call at once, with the time, that it can not go before its deadline', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 1 });
      askFor(limiter, clock, 1);
      const late = { signal: never(), deadline: clock.now() + 10_000 };
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

  it('tells a call that waits as soon as a pause makes its deadline hopeless', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 1 });
      askFor(limiter, clock, 1);
      const waiting = limiter.acquire('general', { signal: never(), deadline: clock.now() + 90_000 });
      limiter.pause('general', clock.now() + 120_000);
      const error = await rejection(waiting);
      assert.deepEqual([error.code, error.retryAfter], ['rate-limited', 120]);
    }));

  it('tells a call that has to wait for how long, and one that goes at once nothing', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 1 });
      const waits: number[] = [];
      const ask = () =>
        limiter.acquire('general', { signal: never(), onWait: (seconds) => waits.push(seconds) });
      await ask();
      assert.deepEqual(waits, []);
      void ask();
      assert.deepEqual(waits, [60.1]);
      await clock.advance(2 * MINUTE);
    }));

  it('gives up the place of a call that is aborted while it waits, and keeps no listener or timer', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 1 });
      askFor(limiter, clock, 1);
      const controller = new AbortController();
      const error = rejection(limiter.acquire('general', { signal: controller.signal }));
      controller.abort();
      assert.equal((await error).code, 'aborted');
      assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
      assert.equal(clock.pending(), 0);
      const times = askFor(limiter, clock, 1);
      await clock.advance(MINUTE + 200);
      assert.equal(times.length, 1);
    }));

  it('closed, rejects everyone who waits or asks, and keeps no timer', () =>
    withFakeClock(async (clock) => {
      const limiter = createLimiter({ requestsPerMinute: 1 });
      askFor(limiter, clock, 1);
      const waiting = ['general', 'clone'] as const;
      const errors = waiting.map((bucket) => rejection(limiter.acquire(bucket, { signal: never() })));
      limiter.close();
      errors.push(rejection(limiter.acquire('general', { signal: never() })));
      for (const error of await Promise.all(errors)) assert.equal(error.code, 'aborted');
      assert.equal(clock.pending(), 0);
    }));

  it('set to a high number remembers no more than a minute', async () => {
    const limiter = createLimiter({ requestsPerMinute: 1e9 });
    const signal = never();
    const { now } = performance;
    let time = 0;
    const minute = async () => {
      time += 2 * MINUTE;
      for (let index = 0; index < 50_000; index += 1) await limiter.acquire('general', { signal });
    };
    // By hand: a mock of the runtime's keeps a record of every call.
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

  it('set to Infinity lets everything go and remembers none of it', async () => {
    const limiter = createLimiter({ requestsPerMinute: Infinity, clonesPerMinute: Infinity });
    const signal = never();
    const run = async () => {
      for (let index = 0; index < 50_000; index += 1) await limiter.acquire('clone', { signal });
    };
    await run();
    const before = usedHeap();
    for (let round = 0; round < 3; round += 1) await run();
    // A log of 150,000 times would hold over a megabyte for good, and listeners far more.
    assert.ok(usedHeap() - before < 500_000);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});
