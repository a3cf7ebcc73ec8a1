import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Limiter } from '../../../client/calls/limiter.js';
import type { Bucket } from '../../../client/interface/operation.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { type RedisServer, withRedis } from '../../support/programs/redis.js';
import { rejection } from '../../support/rejection.js';
import { API_KEY, busiestWindow, limiterOf, soon, withMembers } from './support.js';
import { never, until } from '../../support/waiting.js';

const WINDOW = 1000;
const inFuture = (milliseconds: number) => performance.now() + milliseconds;

/** Acquires places at once, and returns the times at which they are granted. */
function acquireMany(limiter: Limiter, count: number, bucket: Bucket = 'general'): number[] {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    limiter.acquire(bucket, { signal: never }).then(
      () => times.push(performance.now()),
      () => {},
    );
  }
  return times;
}

describeWith(['redis-server'], 'the limiter of a fleet', () => {
  it('grants all members together its limit in any window, in fair parts', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 3, windowMs: WINDOW }, async (fleets) => {
        const times = fleets.map((fleet) => acquireMany(limiterOf(fleet, { requestsPerMinute: 12 }), 100));
        await until(() => times.flat().length >= 12 * 6);
        const counts = times.map(({ length }) => length);
        const fair = times.flat().length / 3;
        for (const count of counts) assert.ok(Math.abs(count - fair) <= 0.2 * fair, counts.join());
        // Redis grants a place before the member takes it, by some milliseconds.
        assert.ok(busiestWindow(times.flat(), WINDOW - 250) <= 12);
      }),
    ));

  it('lets a member that comes later have its part, although another one waits with many calls', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 2, windowMs: WINDOW }, async ([one, two]) => {
        const early = acquireMany(limiterOf(one, { requestsPerMinute: 10 }), 200);
        // A busy computer can see more than the places of one window.
        await until(() => early.length >= 10);
        const before = early.length;
        const late = acquireMany(limiterOf(two, { requestsPerMinute: 10 }), 200);
        await until(() => early.length + late.length >= before + 30);
        assert.ok(late.length >= 12, `${early.length} and ${late.length}`);
      }),
    ));

  it('counts a clone against both limits', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 2 }, async ([one, two]) => {
        const limits = { requestsPerMinute: 4, clonesPerMinute: 3 };
        const [first, second] = [limiterOf(one, limits), limiterOf(two, limits)];
        const clones = acquireMany(first, 5, 'clone');
        await until(() => clones.length === 3);
        const others = acquireMany(second, 5);
        await until(() => others.length === 1);
        // The first reported wait can be shorter: it does not know the calls of the other member.
        await new Promise<void>((resolve) => {
          const onWait = (seconds: number) => seconds > 20 && resolve();
          second.acquire('general', { signal: never, onWait }).catch(() => {});
        });
        assert.deepEqual([clones.length, others.length], [3, 1]);
      }),
    ));

  for (const reason of ['the window of clones is full', 'clones are paused'])
    it(`lets other members use the general limit while clones of a member wait because ${reason}`, () =>
      withRedis((redis) =>
        withMembers(redis, { count: 2 }, async (fleets) => {
          await until(() => fleets.every(({ state }) => state.share === 30));
          const limits = { requestsPerMinute: 12, clonesPerMinute: 2 };
          const [first, second] = fleets.map((fleet) => limiterOf(fleet, limits));
          assert.ok(first !== undefined && second !== undefined);
          if (reason === 'clones are paused') first.pause('clone', inFuture(600_000));
          const clones = acquireMany(first, 3, 'clone');
          const sent = reason === 'clones are paused' ? 0 : 2;
          await until(() => clones.length === sent);
          const others = acquireMany(second, 12);
          await until(() => others.length === 12 - sent);
          assert.equal(clones.length, sent);
        }),
      ));

  it('keeps the order of priorities in a member, and gives no place to a call that ended', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 2, windowMs: WINDOW }, async ([one]) => {
        const limiter = limiterOf(one, { requestsPerMinute: 1 });
        const order: string[] = [];
        const ask = (name: string, priority: number, signal = never) =>
          limiter.acquire('general', { signal, priority }).then(() => order.push(name));
        const stop = new AbortController();
        await ask('first', 0);
        const calls = [ask('low', -1), ask('high', 1)];
        const stopped = rejection(ask('stopped', 2, stop.signal));
        stop.abort();
        assert.equal((await stopped).code, 'aborted');
        await Promise.all(calls);
        assert.deepEqual(order.slice(1), ['high', 'low']);
      }),
    ));

  it('fails a call whose deadline is before the next place, and a call too many', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 1 }, async ([one]) => {
        const limiter = limiterOf(one, { requestsPerMinute: 1, maxWaiting: 1 });
        await limiter.acquire('general', { signal: never });
        const late = await rejection(limiter.acquire('general', { signal: never, deadline: inFuture(500) }));
        assert.equal(late.code, 'rate-limited');
        assert.ok((late.retryAfter ?? 0) > 50);
        const waiting = rejection(limiter.acquire('general', { signal: never }));
        assert.equal((await rejection(limiter.acquire('general', { signal: never }))).code, 'busy');
        limiter.close();
        assert.equal((await waiting).code, 'aborted');
      }),
    ));

  it('pauses all members after a 429, then lets one probe go before all others', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 3 }, async (fleets) => {
        const limiters = fleets.map((fleet) => limiterOf(fleet));
        const sentAt = performance.now();
        const pausedUntil = inFuture(600);
        limiters[0]?.pause('general', pausedUntil);
        limiters[0]?.ended('general', sentAt);
        await untilPaused(redis);
        const times = limiters.map((limiter) => acquireMany(limiter, 3));
        await until(() => times.some(({ length }) => length > 0));
        assert.ok(Math.min(...times.flat()) >= pausedUntil - 5);
        assert.equal(times.flat().length, 1);
        // Ends of requests that were sent before the pause do not end the probe.
        for (const limiter of limiters) limiter.ended('general', sentAt);
        await limiters[0]?.acquire('general', { signal: AbortSignal.timeout(300) }).catch(() => {});
        assert.equal(times.flat().length, 1);
        const prober = times.findIndex(({ length }) => length === 1);
        limiters[prober]?.ended('general', performance.now());
        await until(() => times.flat().length === 9);
      }),
    ));

  for (const flush of [false, true]) {
    it(`pauses before the next place ${flush ? 'after SCRIPT FLUSH' : 'on a Redis without scripts'}`, () =>
      withRedis((redis) =>
        withMembers(redis, { count: 1 }, async ([one]) => {
          const limiter = limiterOf(one);
          await limiter.acquire('general', { signal: soon() });
          if (flush) await redis.cli('script', 'flush');
          if (flush) await limiter.acquire('general', { signal: soon() });
          limiter.pause('general', inFuture(60_000));
          const wait = new Promise<number>((resolve) => {
            limiter.acquire('general', { signal: never, onWait: resolve }).catch(() => {});
          });
          assert.ok((await wait) > 20);
        }),
      ));
  }

  it('lets another member send the probe if the first one dies', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 2 }, async ([one, two]) => {
        limiterOf(one).pause('general', inFuture(100));
        await limiterOf(one).acquire('general', { signal: never });
        const times = acquireMany(limiterOf(two), 1);
        await one?.close();
        await until(() => times.length === 1);
      }),
    ));

  it('steps down the automatic rate of all members once for one burst', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 2 }, async ([one, two]) => {
        const [first, second] = [limiterOf(one), limiterOf(two)];
        const sentAt = performance.now() - 1000;
        for (const limiter of [first, first, second]) limiter.stepDown('general', sentAt);
        await until(() => two?.state.share === 15 && one?.state.share === 15);
        const times = [...acquireMany(first, 40), ...acquireMany(second, 40)];
        assert.equal(times.length, 0);
        const key = `${await prefixIn(redis)}:general`;
        await until(async () => (await redis.cli('zcard', key)) === '30');
        // The first reported wait can be shorter: it does not know the calls of the other member.
        await new Promise<void>((resolve) => {
          const onWait = (seconds: number) => seconds > 20 && resolve();
          second.acquire('general', { signal: never, onWait }).catch(() => {});
        });
        assert.equal(await redis.cli('zcard', key), '30');
      }),
    ));

  it('asks Redis for nothing if the limits are infinite', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 1 }, async ([one]) => {
        const limiter = limiterOf(one, { requestsPerMinute: Infinity, clonesPerMinute: Infinity });
        for (let count = 0; count < 500; count += 1) assert.ok(limiter.tryAcquire('general'));
        assert.ok(limiter.tryAcquire('clone'));
        assert.equal(await redis.cli('exists', `${await prefixIn(redis)}:general`), '0');
      }),
    ));

  it('sends no key of the account to Redis, and only keys with the prefix', () =>
    withRedis(async (redis) => {
      await redis.cli('config', 'set', 'slowlog-log-slower-than', '0');
      await redis.cli('config', 'set', 'slowlog-max-len', '10000');
      await withMembers(redis, { count: 2 }, async ([one, two]) => {
        const limiter = limiterOf(one);
        await limiter.acquire('clone', { signal: soon() });
        limiter.pause('general', inFuture(1));
        limiter.stepDown('general', 0);
        one?.sharing.credits();
        await limiterOf(two).acquire('general', { signal: soon() });
        const commands = await redis.cli('slowlog', 'get', '10000');
        assert.match(commands, /^EVAL/m);
        assert.ok(!commands.includes(API_KEY));
        const keys = (await redis.cli('keys', '*')).split('\n');
        for (const key of keys) assert.match(key, /^herald:\{[\w-]{22}\}:/);
        assert.ok(!keys.join().includes('example'));
      });
    }));

  it('lets all its keys expire', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 1 }, async ([one]) => {
        const limiter = limiterOf(one, { requestsPerMinute: 1 });
        await limiter.acquire('clone', { signal: soon() });
        void limiter.acquire('general', { signal: never }).catch(() => {});
        limiter.pause('clone', inFuture(10));
        one?.sharing.credits();
        const keys = (await redis.cli('keys', '*')).split('\n');
        for (const key of keys) assert.ok(Number(await redis.cli('pttl', key)) > 0, key);
      }),
    ));
});

/** Resolves when Redis has a pause. */
async function untilPaused(redis: RedisServer): Promise<void> {
  const state = `${await prefixIn(redis)}:state`;
  while ((await redis.cli('hget', state, 'general:paused')) === '') await sleep(5);
}

/** Returns the beginning of the keys of the only account. */
async function prefixIn(redis: RedisServer): Promise<string> {
  const [key = ''] = (await redis.cli('keys', '*')).split('\n');
  return key.slice(0, key.indexOf('}') + 1);
}
