import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith } from '../../support/programs/describe-with.js';
import { withRedis } from '../../support/programs/redis.js';
import { never, until } from '../../support/waiting.js';
import { allJoined, LIMIT, limits, placesOf } from './places.js';
import { limiterOf, withMembers } from './support.js';

describeWith(['redis-server'], 'a fleet whose Redis loses its data', () => {
  it('counts the places of before if Redis comes back empty', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 2 }, async (fleets) => {
        const [one, two] = fleets;
        const first = placesOf(one);
        await until(() => first() === LIMIT);
        await redis.stop();
        await redis.start();
        await allJoined(fleets);
        const second = placesOf(two);
        // Longer than the members have for their reports.
        await sleep(3000);
        assert.deepEqual([first(), second()], [LIMIT, 0]);
      }),
    ));

  it('counts the places of before if all keys of Redis are deleted', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 1 }, async ([one]) => {
        const granted = placesOf(one);
        await until(() => granted() === LIMIT);
        await redis.cli('flushall');
        await sleep(3500);
        assert.equal(granted(), LIMIT);
      }),
    ));

  it('repeats a pause to a Redis that comes back empty', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 2 }, async (fleets) => {
        const [one, two] = fleets;
        limiterOf(one, limits).pause('general', performance.now() + 600_000);
        await redis.stop();
        await redis.start();
        await allJoined(fleets);
        await until(() => fleets.every(({ state }) => state.isJoined));
        const limiter = limiterOf(two, limits);
        /** Resolves with the seconds of the wait for a place, 0 if it is granted at once. */
        const secondsOf = () =>
          new Promise<number>((resolve) => {
            limiter.acquire('general', { signal: never, onWait: resolve }).then(
              () => resolve(0),
              () => {},
            );
          });
        // The second member may be quicker than the first one with its pause.
        await until(async () => (await secondsOf()) > 60);
      }),
    ));
});
