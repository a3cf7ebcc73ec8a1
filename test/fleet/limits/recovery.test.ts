import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { numbersOf } from '../../../fleet/limits/numbers.js';
import { beatScript, limitKeys, pauseScript, restoreScript } from '../../../fleet/limits/scripts.js';
import { connect } from '../../../fleet/redis/connection.js';
import { PATIENT_MS, type RedisServer, withRedis } from '../../support/programs/redis.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { rejection } from '../../support/rejection.js';
import { limiterOf, soon, withMembers } from './support.js';
import { until } from '../../support/waiting.js';

const inFuture = (milliseconds: number) => performance.now() + milliseconds;

/** Returns a field of the only hash with this name, of any account. */
async function fieldOf(redis: RedisServer, name: string, field: string): Promise<string> {
  const [key = ''] = (await redis.cli('keys', `*:${name}`)).split('\n');
  return redis.cli('hget', key, field);
}

describeWith(['redis-server'], 'a fleet after a disturbance', () => {
  it('goes on if a member was apart when its probe ended', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 2 }, async ([one, two]) => {
        const limiter = limiterOf(one);
        limiter.pause('general', inFuture(50));
        await limiter.acquire('general', { signal: soon() });
        const sentAt = performance.now();
        await redis.cli('client', 'kill', 'type', 'normal');
        await until(() => one?.state.isJoined === false);
        limiter.ended('general', sentAt);
        await Promise.all([one?.joined(soon()), two?.joined(soon())]);
        await limiterOf(two).acquire('general', { signal: soon() });
      }),
    ));

  it('does not use places that were granted for calls that ended', () =>
    withRedis((redis) =>
      withMembers(redis, { count: 2, windowMs: 1000 }, async ([one, two]) => {
        const limits = { requestsPerMinute: 5 };
        const [first, second] = [limiterOf(one, limits), limiterOf(two, limits)];
        const stop = new AbortController();
        const calls = Array.from({ length: 5 }, () =>
          rejection(first.acquire('general', { signal: stop.signal })),
        );
        stop.abort();
        await Promise.all(calls);
        await sleep(3000);
        for (let count = 0; count < 5; count += 1) await second.acquire('general', { signal: soon() });
        assert.equal(first.tryAcquire('general'), false);
      }),
    ));

  it('waits for the reports of all members if Redis returns with old data', async () => {
    const dbfilename = `herald-${process.pid}.rdb`;
    const config = { dir: tmpdir(), dbfilename, save: '3600 1000000' };
    const window = 60_000;
    try {
      await withRedis(
        async (redis) => {
          const connection = connect({ url: redis.url }, 'account', PATIENT_MS);
          const report = async (member: string, seen: number) =>
            numbersOf(
              await connection.run(restoreScript, limitKeys(connection), [member, window, seen, '', 2, 0]),
            );
          try {
            await until(() => connection.isJoined);
            for (const member of ['ann', 'ben']) await report(member, 0);
            const saved = Number(await fieldOf(redis, 'state', 'seen'));
            await redis.cli('save');
            await redis.stop();
            await redis.start();
            await until(() => connection.isJoined);
            // The file has the last sign of life of no member.
            const [wait = 0] = await report('ann', saved + 1);
            assert.ok(wait > window / 2, `${wait} ms`);
            assert.equal((await report('ben', saved + 1))[0], 0);
          } finally {
            connection.close();
          }
        },
        { config },
      );
    } finally {
      await rm(path.join(tmpdir(), dbfilename), { force: true });
    }
  });

  it('starts with the highest automatic rate again after all members have left', () =>
    withRedis(async (redis) => {
      const stepDown = () =>
        withMembers(redis, { count: 1 }, async ([one]) => {
          const limiter = limiterOf(one, { requestsPerMinute: 'auto' });
          assert.equal(one?.state.share, 60);
          limiter.stepDown('general', performance.now());
          await until(() => one?.state.share === 30);
        });
      await stepDown();
      await stepDown();
    }));

  it('ends a pause in time if the clock of Redis was set back', () =>
    withRedis(async (redis) => {
      const connection = connect({ url: redis.url }, 'account', PATIENT_MS);
      try {
        await until(() => connection.isJoined);
        const keys = limitKeys(connection);
        await connection.run(restoreScript, keys, ['ann', 60_000, 0, '', 0, 0]);
        await connection.run(pauseScript, keys, ['ann', 60_000, 'general', 5000]);
        const hour = 3_600_000;
        for (const field of ['seen', 'general:paused'])
          await redis.cli('hincrby', connection.key('state'), field, `${hour}`);
        await redis.cli('zadd', connection.key('members'), `${Date.now() + hour}`, 'dead');
        const reply = numbersOf(await connection.run(beatScript, keys, ['ann', 60_000]));
        assert.ok((reply[4] ?? 0) <= 5100, `pause of ${reply[4]} ms`);
        const dead = Number(await redis.cli('zscore', connection.key('members'), 'dead'));
        assert.ok(dead < Date.now() + hour / 2);
      } finally {
        connection.close();
      }
    }));

  it('ends loans, and the demand for them, if the clock of Redis was set back', () =>
    withRedis(async (redis) => {
      const connection = connect({ url: redis.url }, 'account', PATIENT_MS);
      try {
        await until(() => connection.isJoined);
        const keys = limitKeys(connection);
        for (const member of ['ann', 'ben'])
          await connection.run(restoreScript, keys, [member, 60_000, 0, '', 2, 0]);
        const hour = 3_600_000;
        const later = `${Date.now() + hour}`;
        const times = ['seen', 'demand', 'called'].flatMap((field) => [field, later]);
        await redis.cli('hset', connection.key('state'), ...times);
        await redis.cli('hset', connection.key('lent'), 'ann', later);
        await connection.run(beatScript, keys, ['ben', 60_000, 2, 0]);
        const state = (field: string) => redis.cli('hget', connection.key('state'), field);
        const ends = [await state('demand'), await state('called')];
        ends.push(await redis.cli('hget', connection.key('lent'), 'ann'));
        for (const end of ends) assert.ok(Number(end) < Date.now() + 1000, ends.join());
      } finally {
        connection.close();
      }
    }));
});
