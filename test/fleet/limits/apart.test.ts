import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from '../../../fleet/fleet.js';
import { COMMAND_MS } from '../../../fleet/redis/failure.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { leavingNothing } from '../../support/leftovers.js';
import { HANG_MS, PATIENT_MS, type RedisServer, withRedis } from '../../support/programs/redis.js';
import { rejection } from '../../support/rejection.js';
import { allJoined, LIMIT, placesOf } from './places.js';
import { joinPatiently, limiterOf, soon, withMembers } from './support.js';
import { never, until } from '../../support/waiting.js';

const sum = (counts: readonly (() => number)[]) => counts.reduce((total, count) => total + count(), 0);
const allApart = (fleets: readonly Fleet[]) => until(() => fleets.every(({ state }) => !state.isJoined));

/** Ways in which Redis fails, with the reason that a member gives, and the way back. */
const failures: readonly [
  string,
  string,
  (redis: RedisServer) => unknown,
  (redis: RedisServer) => unknown,
][] = [
  ['hangs', 'redis-hung', (redis) => redis.hang(), (redis) => redis.resume()],
  ['is gone', 'redis-gone', (redis) => redis.stop(), (redis) => redis.start()],
  [
    'is read-only',
    'redis-read-only',
    (redis) => redis.cli('replicaof', '127.0.0.1', '1'),
    (redis) => redis.cli('replicaof', 'no', 'one'),
  ],
  [
    'is out of memory',
    'redis-memory',
    (redis) => redis.cli('config', 'set', 'maxmemory', '1'),
    (redis) => redis.cli('config', 'set', 'maxmemory', '0'),
  ],
];

describeWith(['redis-server'], 'a fleet whose Redis fails', () => {
  for (const [failure, reason, start, end] of failures) {
    // A member that misses this deadline by accident is apart, and has its share as well.
    const commandMs = failure === 'hangs' ? COMMAND_MS : PATIENT_MS;
    /** An empty Redis grants no place before it has the reports of the members. */
    const quietMs = failure === 'is gone' ? 2500 : 1000;
    it(`gives each member its share while Redis ${failure}, and counts these places afterwards`, () =>
      withRedis((redis) =>
        withMembers(redis, { count: 3, commandMs }, async (fleets) => {
          await until(() => fleets.every(({ state }) => state.share === 20));
          await start(redis);
          const counts = fleets.map(placesOf);
          await allApart(fleets);
          await until(() => sum(counts) >= LIMIT);
          assert.deepEqual(
            counts.map((count) => count()),
            [4, 4, 4],
          );
          assert.ok(fleets.every(({ state }) => state.reason?.key === reason || reason === 'redis-hung'));
          await end(redis);
          await allJoined(fleets);
          await sleep(quietMs);
          assert.equal(sum(counts), LIMIT);
        }),
      ));
  }

  it('steps down the automatic rate while it is apart, and reports the new rate afterwards', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 2, commandMs: HANG_MS }, async (fleets) => {
        await until(() => fleets.every(({ state }) => state.share === 30));
        redis.hang();
        await allApart(fleets);
        limiterOf(fleets[0]).stepDown('general', performance.now());
        assert.equal(fleets[0]?.state.share, 15);
        redis.resume();
        await allJoined(fleets);
        limiterOf(fleets[1]);
        await until(() => fleets[1]?.state.share === 15);
      }),
    ));

  it('fails calls by their deadlines also while it is apart', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 1, commandMs: HANG_MS }, async (fleets) => {
        redis.hang();
        const limiter = limiterOf(fleets[0], { requestsPerMinute: 1 });
        await limiter.acquire('general', { signal: never });
        const deadline = performance.now() + 2000;
        const late = await rejection(limiter.acquire('general', { signal: never, deadline }));
        assert.equal(late.code, 'rate-limited');
      }),
    ));

  it('starts without Redis: all calls get places, and the member joins later', () =>
    withRedis((redis) =>
      leavingNothing(async () => {
        await redis.stop();
        const fleet = joinPatiently(redis);
        const limiter = limiterOf(fleet);
        await limiter.acquire('general', { signal: soon() });
        assert.equal(fleet.state.reason?.key, 'redis-gone');
        await redis.start();
        await fleet.joined(soon());
        limiter.close();
        await fleet.close();
      }),
    ));

  it('lets clients go on after the fleet was closed', () =>
    withRedis((redis) =>
      leavingNothing(async () => {
        const fleet = joinPatiently(redis);
        const limiter = limiterOf(fleet);
        await fleet.joined(soon());
        await fleet.close();
        assert.ok(limiter.tryAcquire('general'));
        limiter.close();
      }),
    ));

  it('is closed at once while Redis hangs', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 2, commandMs: HANG_MS }, async () => {
        redis.hang();
      }),
    ));
});
