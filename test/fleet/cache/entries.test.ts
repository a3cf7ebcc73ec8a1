import assert from 'node:assert/strict';
import { encodeEntry } from '../../../client/cache/entry.js';
import { type EntryLimits, OVERHEAD_BYTES, SharedEntries } from '../../../fleet/cache/entries.js';
import { keyOf, speechOf } from '../../client/cache/support.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { type RedisOptions, type RedisServer, withRedis } from '../../support/programs/redis.js';
import { withConnections } from './support.js';
import { until } from '../../support/waiting.js';

const limits: EntryLimits = { maxBytes: 200_000, maxPieceBytes: 100_000, seconds: 3600 };

/** Runs `work` with Redis and the entries of one member. */
const withEntries = (
  work: (entries: SharedEntries, redis: RedisServer) => Promise<void>,
  options: Partial<EntryLimits> & RedisOptions = {},
) =>
  withRedis(
    (redis) =>
      withConnections(redis, 1, async ([connection]) => {
        assert(connection);
        await work(new SharedEntries(connection, { ...limits, ...options }), redis);
      }),
    options,
  );

/** Stores speech of some seconds (16 kB each). */
const put = (entries: SharedEntries, name: string, seconds: number) =>
  entries.put(keyOf(name), 'token', encodeEntry(keyOf(name), speechOf(seconds)));

const bytesOf = (name: string, seconds: number) =>
  encodeEntry(keyOf(name), speechOf(seconds)).length + OVERHEAD_BYTES;

/** A reproducible sequence of numbers from 0 to below 1. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Entries in memory with the promised rules: the least recently used ones leave first. */
class Model {
  /** Bytes by name, the least recently used one first. */
  readonly sizes = new Map<string, number>();

  get bytes(): number {
    return [...this.sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  use(name: string): boolean {
    const bytes = this.sizes.get(name);
    if (bytes === undefined) return false;
    this.sizes.delete(name);
    this.sizes.set(name, bytes);
    return true;
  }

  put(name: string, bytes: number): void {
    this.sizes.delete(name);
    for (const oldest of this.sizes.keys()) {
      if (this.bytes + bytes <= limits.maxBytes) break;
      this.sizes.delete(oldest);
    }
    this.sizes.set(name, bytes);
  }
}

/** Returns the bytes of all stored entries, counted by Redis. */
async function storedBytes({ cli }: RedisServer): Promise<number> {
  const keys = (await cli('keys', 'herald:{account}:speech:*')).split('\n').filter(Boolean);
  const lengths = await Promise.all(keys.map(async (key) => Number(await cli('strlen', key))));
  return lengths.reduce((sum, bytes) => sum + bytes + OVERHEAD_BYTES, 0);
}

describeWith(['redis-server'], 'the entries of a fleet in Redis', function () {
  it('returns stored speech unchanged, without the charge of its first caller', () =>
    withEntries(async (entries) => {
      const spoken = speechOf(0.5, { charged: 2, phonemes: undefined });
      const key = keyOf('one');
      await entries.put(key, 'token', encodeEntry(key, spoken));
      const answer = await entries.claim(key, 'other');
      assert.equal(answer.kind, 'found');
      assert(answer.kind === 'found');
      assert.deepEqual(answer.spoken.value.audio, spoken.value.audio);
      assert.equal(answer.spoken.value.duration, 0.5);
      assert.equal(answer.spoken.value.charged, undefined);
    }));

  it('keeps the entries and the sum that a model keeps, in 600 random steps', () =>
    withEntries(async (entries, redis) => {
      const random = sequence(7);
      const model = new Model();
      for (let step = 0; step < 600; step += 1) {
        const name = `n${Math.floor(random() * 20)}`;
        if (random() < 0.5) {
          const seconds = Math.ceil(random() * 50) / 10;
          await put(entries, name, seconds);
          model.put(name, bytesOf(name, seconds));
        } else {
          const { kind } = await entries.claim(keyOf(name), 'token');
          assert.equal(kind === 'found', model.use(name), `step ${step}`);
          if (kind === 'lead') await entries.release(keyOf(name), 'token', 0);
        }
        const size = await entries.size();
        assert.deepEqual(size, { bytes: model.bytes, entries: model.sizes.size }, `step ${step}`);
        assert.ok(size.bytes <= limits.maxBytes);
      }
      assert.equal(await storedBytes(redis), model.bytes);
    }));

  it('stays within its limit while three members write', () =>
    withRedis((redis) =>
      withConnections(redis, 3, async (connections) => {
        const members = connections.map((connection) => new SharedEntries(connection, limits));
        await Promise.all(
          members.map(async (entries, member) => {
            for (let index = 0; index < 60; index += 1) {
              await put(entries, `${index % 2 ? 'common' : member} ${index}`, 0.5 + (index % 9) / 2);
              assert.ok((await entries.size()).bytes <= limits.maxBytes);
            }
          }),
        );
        const [first] = members;
        assert(first);
        assert.equal(await storedBytes(redis), (await first.size()).bytes);
      }),
    ));

  it('forgets expired entries, and has room for new ones', () =>
    withEntries(
      async (entries, redis) => {
        for (const name of ['a', 'b', 'c']) await put(entries, name, 3);
        assert.equal((await entries.size()).entries, 3);
        await until(async () => (await storedBytes(redis)) === 0);
        assert.equal((await entries.claim(keyOf('a'), 'token')).kind, 'lead');
        await put(entries, 'd', 3);
        assert.deepEqual(await entries.size(), { bytes: bytesOf('d', 3), entries: 1 });
      },
      { seconds: 1 },
    ));

  it('extends the life of an entry with each use', () =>
    withEntries(
      async (entries) => {
        await put(entries, 'used', 1);
        await put(entries, 'unused', 1);
        await until(async () => {
          await entries.claim(keyOf('used'), 'token');
          return !(await entries.has(keyOf('unused')));
        });
        assert.equal((await entries.claim(keyOf('used'), 'token')).kind, 'found');
      },
      { seconds: 2 },
    ));

  it('leaves nothing in Redis after the last entry has expired', () =>
    withEntries(
      async (entries, { cli }) => {
        await put(entries, 'a', 1);
        await until(async () => (await cli('dbsize')) === '0');
      },
      { seconds: 1 },
    ));

  for (const [damage, change] of [
    ['a changed byte', ['setrange', '200', 'x']],
    ['a missing end', ['set', 'short']],
    ['an empty value', ['set', '']],
  ] as const)
    it(`counts an entry with ${damage} as missing, and deletes it`, () =>
      withEntries(async (entries, { cli }) => {
        await put(entries, 'a', 1);
        const [command, ...values] = change;
        await cli(command, `herald:{account}:speech:${keyOf('a')}`, ...values);
        assert.equal((await entries.claim(keyOf('a'), 'token')).kind, 'lead');
        assert.deepEqual(await entries.size(), { bytes: 0, entries: 0 });
      }));

  it('does not return the entry of another key', () =>
    withEntries(async (entries, { cli }) => {
      await put(entries, 'a', 1);
      await cli('rename', `herald:{account}:speech:${keyOf('a')}`, `herald:{account}:speech:${keyOf('b')}`);
      assert.equal((await entries.claim(keyOf('b'), 'token')).kind, 'lead');
    }));

  it('starts again with a correct sum after Redis has lost a part of the index', () =>
    withEntries(async (entries, redis) => {
      for (const lost of ['speech-sizes', 'speech-used']) {
        for (const name of ['a', 'b', 'c']) await put(entries, name, 3);
        await redis.cli('del', `herald:{account}:${lost}`);
        await put(entries, 'd', 1);
        assert.deepEqual(await entries.size(), { bytes: bytesOf('d', 1), entries: 1 });
        assert.equal(await storedBytes(redis), bytesOf('d', 1));
      }
    }));

  it('clears all entries, and lets running calls go on', () =>
    withEntries(async (entries, { cli }) => {
      for (const name of ['a', 'b']) await put(entries, name, 1);
      await entries.claim(keyOf('c'), 'token');
      await entries.clear();
      assert.deepEqual(await entries.size(), { bytes: 0, entries: 0 });
      assert.equal(await cli('keys', '*'), `herald:{account}:lease:${keyOf('c')}`);
    }));

  it('changes nothing if a full Redis refuses an entry', () =>
    withEntries(async (entries, { cli }) => {
      await put(entries, 'a', 2);
      const before = await entries.size();
      await cli('config', 'set', 'maxmemory', '1');
      assert.equal(await put(entries, 'b', 2), false);
      assert.deepEqual(await entries.size(), before);
      assert.equal((await entries.claim(keyOf('a'), 'token')).kind, 'found');
    }));

  it('gives one of several members the lease, and the next one after it has expired', () =>
    withRedis((redis) =>
      withConnections(redis, 2, async (connections) => {
        const [one, two] = connections.map((connection) => new SharedEntries(connection, limits));
        assert(one && two);
        assert.equal((await one.claim(keyOf('a'), 'one')).kind, 'lead');
        const answer = await two.claim(keyOf('a'), 'two');
        assert(answer.kind === 'wait');
        assert.ok(answer.milliseconds > 0 && answer.milliseconds <= 5000);
        assert.equal(await one.renew(keyOf('a'), 'one'), true);
        assert.equal(await two.renew(keyOf('a'), 'two'), false);
        await two.release(keyOf('a'), 'two', 0);
        assert.equal((await two.claim(keyOf('a'), 'two')).kind, 'wait');
        await until(async () => (await two.claim(keyOf('a'), 'two')).kind === 'lead');
        assert.equal(await one.renew(keyOf('a'), 'one'), false);
      }),
    ));
});
