import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RedisConnection, connect } from '../../../fleet/redis/connection.js';
import { COMMAND_MS } from '../../../fleet/redis/failure.js';
import { scriptOf } from '../../../fleet/redis/script.js';
import type { RedisServer as Server } from '../../../fleet/redis/server.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { leavingNothing } from '../../support/leftovers.js';
import { HANG_MS, PATIENT_MS, type RedisServer, withRedis } from '../../support/programs/redis.js';
import { rejection } from '../../support/rejection.js';
import { until } from '../../support/waiting.js';

const increment = scriptOf(`return redis.call('INCRBY', KEYS[1], ARGV[1])`);
const echo = scriptOf(`return ARGV[1]`);
/** Blocks Redis for about a second. */
const slow = scriptOf(`local i = 0 while i < 3e7 do i = i + 1 end return i`);

/** Connects to a Redis server until `work` ends, and checks that nothing stays open. */
const withConnection = (
  redis: RedisServer,
  work: (connection: RedisConnection) => Promise<void>,
  { commandMs = PATIENT_MS, ...server }: Partial<Server> & { commandMs?: number } = {},
): Promise<void> =>
  leavingNothing(async () => {
    const connection = connect({ url: redis.url, ...server }, 'account', commandMs);
    try {
      await work(connection);
    } finally {
      connection.close();
    }
  });

const joined = (connection: RedisConnection) => until(() => connection.isJoined);
const apart = (connection: RedisConnection, reason: RegExp) =>
  until(() => !connection.isJoined && reason.test(connection.reason?.english ?? ''));
const count = (connection: RedisConnection) => connection.run(increment, [connection.key('count')], [1]);

describeWith(['redis-server'], 'the connection to Redis', () => {
  it('runs scripts, also after Redis lost them', () =>
    withRedis((redis) =>
      withConnection(redis, async (connection) => {
        await joined(connection);
        assert.equal(await count(connection), 1);
        await redis.cli('script', 'flush');
        assert.equal(await count(connection), 2);
        assert.equal(await redis.cli('get', 'herald:{account}:count'), '2');
      }),
    ));

  it('sends and receives bytes unchanged', () =>
    withRedis((redis) =>
      withConnection(redis, async (connection) => {
        await joined(connection);
        const bytes = Buffer.from([0, 255, 254, 13, 10]);
        assert.deepEqual(await connection.runBinary(echo, [], [bytes]), bytes);
      }),
    ));

  it('runs a command that comes before the first connection', () =>
    withRedis((redis) =>
      withConnection(redis, async (connection) => {
        assert.equal(connection.reason?.key, 'redis-connecting');
        assert.equal(await count(connection), 1);
      }),
    ));

  it('rejects a command before the first connection if Redis is gone', () =>
    withRedis(async (redis) => {
      await redis.stop();
      await withConnection(redis, async (connection) => {
        assert.equal((await rejection(count(connection))).code, 'no-connection');
      });
    }));

  it('is apart while Redis hangs, rejects all commands at once, and joins when Redis goes on', () =>
    withRedis((redis) =>
      withConnection(
        redis,
        async (connection) => {
          await joined(connection);
          redis.hang();
          const errors = await Promise.all([1, 2, 3].map(() => rejection(count(connection))));
          assert.deepEqual(
            errors.map(({ code, text }) => [code, text?.key]),
            Array.from({ length: 3 }, () => ['no-connection', 'redis-hung']),
          );
          assert.equal(connection.reason?.key, 'redis-hung');
          redis.resume();
          await joined(connection);
        },
        { commandMs: HANG_MS },
      ),
    ));

  it('makes a new connection if Redis hangs for long', () =>
    withRedis((redis) =>
      withConnection(
        redis,
        async (connection) => {
          await joined(connection);
          redis.hang();
          await rejection(count(connection));
          await sleep(6000);
          assert.equal(connection.isJoined, false);
          redis.resume();
          await joined(connection);
          assert.equal(typeof (await count(connection)), 'number');
        },
        { commandMs: HANG_MS },
      ),
    ));

  it('names a slow Redis', () =>
    withRedis((redis) =>
      withConnection(
        redis,
        async (connection) => {
          await joined(connection);
          await rejection(connection.run(slow, [], []));
          await apart(connection, /later than after 200 ms/);
          await joined(connection);
        },
        { commandMs: COMMAND_MS },
      ),
    ));

  it('is apart while Redis is gone, and joins a new empty server', () =>
    withRedis((redis) =>
      withConnection(redis, async (connection) => {
        await joined(connection);
        await count(connection);
        await redis.stop();
        await apart(connection, /cannot be reached/);
        await redis.start();
        await joined(connection);
        assert.equal(await count(connection), 1);
      }),
    ));

  it('is apart while Redis is read-only', () =>
    withRedis((redis) =>
      withConnection(redis, async (connection) => {
        await joined(connection);
        await redis.cli('replicaof', '127.0.0.1', '1');
        await rejection(count(connection));
        await apart(connection, /read-only/);
        await redis.cli('replicaof', 'no', 'one');
        await joined(connection);
      }),
    ));

  it('is apart while Redis is out of memory', () =>
    withRedis((redis) =>
      withConnection(redis, async (connection) => {
        await joined(connection);
        await redis.cli('config', 'set', 'maxmemory', '1');
        await rejection(count(connection));
        await apart(connection, /out of memory/);
        await redis.cli('config', 'set', 'maxmemory', '0');
        await joined(connection);
      }),
    ));

  it('is apart with a wrong password and without a permission, and names the reason', () =>
    withRedis(
      async (redis) => {
        await withConnection(redis, (connection) => apart(connection, /user name or password/));
        await withConnection(redis, (connection) => apart(connection, /user name or password/), {
          password: 'wrong',
        });
        await redis.cli('acl', 'setuser', 'reader', 'on', '>secret', '~herald:*', '+@read', '+auth');
        await withConnection(redis, (connection) => apart(connection, /lacks a permission/), {
          username: 'reader',
          password: 'secret',
        });
        await withConnection(redis, joined, { password: 'right' });
      },
      { config: { requirepass: 'right' }, cli: ['-a', 'right'] },
    ));

  it('stays apart if Redis has no such database, and never writes to database 0', () =>
    withRedis((redis) =>
      withConnection(
        redis,
        async (connection) => {
          await apart(connection, /has no database 99/);
          await rejection(count(connection));
          await sleep(1200);
          assert.equal(connection.reason?.key, 'redis-database');
          assert.equal(await redis.cli('dbsize'), '0');
          assert.doesNotMatch(await redis.cli('info', 'commandstats'), /cmdstat_eval/);
        },
        { url: `${redis.url}/99` },
      ),
    ));

  it('uses the database of the URL', () =>
    withRedis((redis) =>
      withConnection(
        redis,
        async (connection) => {
          await joined(connection);
          await count(connection);
          assert.equal(await redis.cli('-n', '3', 'get', 'herald:{account}:count'), '1');
        },
        { url: `${redis.url}/3` },
      ),
    ));

  it('passes messages on, also after a new connection', () =>
    withRedis((redis) =>
      withConnection(redis, async (connection) => {
        const messages: string[] = [];
        const end = connection.subscribe(connection.key('news'), (message) => messages.push(message));
        const heard = async () => {
          messages.length = 0;
          while (messages.length === 0) await redis.cli('publish', connection.key('news'), 'hello');
        };
        await heard();
        await redis.cli('client', 'kill', 'type', 'pubsub');
        await heard();
        end();
      }),
    ));

  it('reports each change of its state once', () =>
    withRedis((redis) =>
      withConnection(
        redis,
        async (connection) => {
          const states: (string | undefined)[] = [];
          connection.onChange(() => states.push(connection.reason?.key));
          await joined(connection);
          redis.hang();
          await Promise.all([rejection(count(connection)), rejection(count(connection))]);
          redis.resume();
          await joined(connection);
          assert.deepEqual(
            states.filter((state) => state !== 'redis-slow'),
            [undefined, 'redis-hung', undefined],
          );
        },
        { commandMs: HANG_MS },
      ),
    ));

  it('refuses a URL with a password, another scheme and a prefix with braces', () => {
    const wrong: Partial<Server>[] = [
      { url: 'redis://user:secret@127.0.0.1' },
      { url: 'http://127.0.0.1' },
      { url: 'redis://127.0.0.1/one' },
      { url: '' },
      { prefix: 'a{b}' },
    ];
    for (const server of wrong) {
      const open = () => connect({ url: 'redis://127.0.0.1', ...server }, 'account');
      assert.throws(open, { code: 'not-configured' });
      assert.throws(open, ({ message }: Error) => !message.includes('secret'));
    }
  });

  it('ends at once while Redis hangs or is unreachable', () =>
    withRedis(async (redis) => {
      await withConnection(redis, async (connection) => {
        await joined(connection);
        redis.hang();
        const waiting = rejection(count(connection));
        connection.close();
        assert.equal((await waiting).code, 'no-connection');
      });
      redis.resume();
      await redis.stop();
      await withConnection(redis, (connection) => apart(connection, /cannot be reached/));
    }));
});
