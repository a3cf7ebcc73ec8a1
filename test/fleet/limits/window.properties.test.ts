import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { z } from 'zod';
import { numbersOf } from '../../../fleet/limits/numbers.js';
import { askScript, FIRST_MOMENTS, TURN_MS } from '../../../fleet/limits/ask-script.js';
import { limitKeys, restoreScript } from '../../../fleet/limits/scripts.js';
import { type RedisConnection, connect } from '../../../fleet/redis/connection.js';
import { scriptOf } from '../../../fleet/redis/script.js';
import { PATIENT_MS, withRedis } from '../../support/programs/redis.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { until } from '../../support/waiting.js';

const WINDOW = 120;
const MEMBERS = ['ann', 'ben', 'cem'];

/**
 * The questions with the times of Redis before and after them at the end of their replies. The clock goes on during a script of a
 * busy computer, and the question reads it in between.
 */
const timedAskScript = scriptOf(`
local function millis()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local before = millis()
local reply = (function() ${askScript.lua} end)()
table.insert(reply, before)
table.insert(reply, millis())
return reply
`);

/** Returns a member whose count is not the number of its places in the window, or ''. One step, because both keys expire. */
const miscountScript = scriptOf(`
local counts = {}
for _, place in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local member = string.match(place, '^[^:]+')
  counts[member] = (counts[member] or 0) + 1
end
local counted = redis.call('HGETALL', KEYS[2])
for index = 1, #counted, 2 do
  counts[counted[index]] = (counts[counted[index]] or 0) - counted[index + 1]
end
for member, difference in pairs(counts) do
  if difference ~= 0 then return member end
end
return ''
`);

/** A question of a member for places, after a pause. */
const question = fc.record({
  gap: fc.integer({ min: 0, max: 60 }),
  member: fc.constantFrom(...MEMBERS),
  bucket: fc.constantFrom('general', 'general', 'clone'),
  want: fc.integer({ min: 1, max: 4 }),
});

interface Place {
  member: string;
  isClone: boolean;
  at: number;
}

/** The places that Redis granted, as a model without Lua. */
class Model {
  private readonly places = new Map<string, Place>();

  add(name: string, at: number): void {
    const [member = '', number = ''] = name.split(':');
    this.places.set(name, { member, isClone: number.startsWith('c'), at });
  }

  /** The number of places after a time. */
  since(time: number, counts: (place: Place) => boolean = () => true): number {
    return [...this.places.values()].filter((place) => place.at > time && counts(place)).length;
  }

  /** Whether all places of the window are of the first moments. */
  isStarting(time: number, counts?: (place: Place) => boolean): boolean {
    return this.since(time - WINDOW, counts) === this.since(time - WINDOW / FIRST_MOMENTS, counts);
  }

  /** The highest number of places within one window. */
  busiest(counts?: (place: Place) => boolean): number {
    const starts = [...this.places.values()].map(({ at }) => at - 1);
    return Math.max(
      0,
      ...starts.map((start) => this.since(start, counts) - this.since(start + WINDOW, counts)),
    );
  }
}

const isClone = ({ isClone }: Place) => isClone;

const placesScript = scriptOf(`return redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')`);
const replyOf = z.array(z.coerce.string());

/** Returns all places in the window of a bucket with their times. */
async function stored(connection: RedisConnection): Promise<[string, number][]> {
  const cells = replyOf.parse(await connection.run(placesScript, [connection.key('general')], []));
  return cells.flatMap((cell, index): [string, number][] =>
    index % 2 === 0 ? [[cell, Number(cells[index + 1])]] : [],
  );
}

describeWith(['redis-server'], 'the window in Redis', function () {
  it('grants never more than both limits, and refuses only in a full window, out of turn or in the first moments, for any questions', () =>
    withRedis(async (redis) => {
      const limits = fc.record({
        general: fc.integer({ min: 1, max: 6 }),
        clone: fc.integer({ min: 1, max: 4 }),
      });
      let account = 0;
      await fc.assert(
        fc.asyncProperty(
          limits,
          fc.array(question, { minLength: 5, maxLength: 25 }),
          async (limits, questions) => {
            account += 1;
            const connection = connect({ url: redis.url }, `account${account}`, PATIENT_MS);
            try {
              await until(() => connection.isJoined);
              const keys = limitKeys(connection);
              for (const member of MEMBERS)
                await connection.run(restoreScript, keys, [member, WINDOW, 0, '', 0, 0]);
              const model = new Model();
              let first = 0;
              for (const { gap, member, bucket, want } of questions) {
                await sleep(gap);
                const args = [member, WINDOW, bucket, want, limits.general, limits.clone, first];
                const reply = numbersOf(await connection.run(timedAskScript, keys, args));
                const [known, granted = 0, wait = 0] = reply;
                const [before = 0, after = 0] = reply.slice(-2);
                first += want;
                assert.equal(known, 1);
                for (const [name, at] of await stored(connection)) model.add(name, at);
                if (granted === want || wait === TURN_MS) continue;
                const times = Array.from({ length: after - before + 1 }, (_, index) => before + index);
                const refuses = (now: number) =>
                  model.isStarting(now) ||
                  model.isStarting(now, isClone) ||
                  model.since(now - WINDOW) >= limits.general ||
                  (bucket === 'clone' && model.since(now - WINDOW, isClone) >= limits.clone);
                assert.ok(times.some(refuses));
              }
              assert.ok(model.busiest() <= limits.general);
              assert.ok(model.busiest(isClone) <= limits.clone);
            } finally {
              connection.close();
            }
          },
        ),
        // A smaller case takes the time of the windows again.
        { numRuns: 12, endOnFailure: true },
      );
    }));

  it('counts the places of each member as the window has them', () =>
    withRedis(async (redis) => {
      const connection = connect({ url: redis.url }, 'account', PATIENT_MS);
      try {
        await until(() => connection.isJoined);
        const keys = limitKeys(connection);
        await fc.assert(
          fc.asyncProperty(fc.array(question, { minLength: 1, maxLength: 15 }), async (questions) => {
            for (const [index, { gap, member, bucket, want }] of questions.entries()) {
              await sleep(gap / 4);
              const ages = Array.from({ length: want }, (_, place) => [bucket, index * 10 + place, gap * 3]);
              await connection.run(restoreScript, keys, [member, WINDOW, 0, '', 0, 0, ...ages.flat()]);
              await connection.run(askScript, keys, [
                member,
                WINDOW,
                bucket,
                want,
                50,
                50,
                1000 + index * 10,
              ]);
              const logs = ['general', 'general:counts'].map((name) => connection.key(name));
              assert.equal(await connection.run(miscountScript, logs, []), '');
            }
          }),
          { numRuns: 10, endOnFailure: true },
        );
      } finally {
        connection.close();
      }
    }));

  it('does not stand still if the clock of Redis was set back', () =>
    withRedis(async (redis) => {
      const connection = connect({ url: redis.url }, 'account', PATIENT_MS);
      try {
        await until(() => connection.isJoined);
        const keys = limitKeys(connection);
        const hour = 3_600_000;
        await redis.cli('zadd', connection.key('general'), `${Date.now() + hour}`, 'ann:g1');
        await redis.cli('hset', connection.key('general:counts'), 'ann', '1');
        await connection.run(restoreScript, keys, ['ben', WINDOW, 0, '', 0, 0]);
        const ask = async () =>
          numbersOf(await connection.run(askScript, keys, ['ben', WINDOW, 'general', 1, 1, 1, 1]));
        const [, granted, wait = 0] = await ask();
        assert.equal(granted, 0);
        assert.ok(wait <= WINDOW);
        await sleep(WINDOW + 20);
        assert.equal((await ask())[1], 1);
      } finally {
        connection.close();
      }
    }));
});
