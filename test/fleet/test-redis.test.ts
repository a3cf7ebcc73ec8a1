import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { testRedis } from '@herald-speech/fleet';
import { describeWith } from '../support/programs/describe-with.js';
import { close, listen } from '../support/net/fault-server.js';
import { leavingNothing } from '../support/leftovers.js';
import { type RedisServer, withRedis } from '../support/programs/redis.js';
import { rejection } from '../support/rejection.js';
import { optionsOf, soon, withMembers } from './limits/support.js';
import { until } from '../support/waiting.js';

const test = (redis: Pick<RedisServer, 'url'>, more: object = {}) =>
  leavingNothing(() => testRedis({ ...optionsOf(redis), ...more }, soon()));

describeWith(['redis-server'], 'testRedis', () => {
  it('reports version, product, latency and members', () =>
    withRedis(async (redis) => {
      const report = await test(redis);
      assert.match(report.version, /^\d+\.\d+/);
      assert.equal(report.product, 'redis');
      assert.ok(report.latencyMs > 0);
      assert.equal(report.members, 0);
      assert.deepEqual(report.problems, []);
      await withMembers(redis, { count: 2 }, async (fleets) => {
        await until(() => fleets.every(({ state }) => state.members === 2));
        assert.equal((await testRedis(optionsOf(redis), soon())).members, 2);
      });
    }));

  it('reports faults: read-only, out of memory, and a policy that deletes keys', () =>
    withRedis(async (redis) => {
      const problems = async () => (await test(redis)).problems.map(({ key }) => key);
      await redis.cli('replicaof', '127.0.0.1', '1');
      assert.deepEqual(await problems(), ['redis-read-only']);
      await redis.cli('replicaof', 'no', 'one');
      await redis.cli('config', 'set', 'maxmemory', '1');
      assert.deepEqual(await problems(), ['redis-memory']);
      await redis.cli('config', 'set', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru');
      assert.deepEqual(await problems(), ['redis-eviction']);
    }));

  it('reports permissions that the user lacks', () =>
    withRedis(
      async (redis) => {
        const all = ['~herald:*', '+@all', '-info', '>secret', 'on'];
        await redis.cli('acl', 'setuser', 'herald', ...all, 'resetchannels');
        const { problems, version } = await test(redis, { username: 'herald', password: 'secret' });
        assert.equal(version, '');
        const keys = problems.map(({ key }) => key);
        assert.deepEqual(keys, ['redis-unknown', 'redis-permission']);
        await redis.cli('acl', 'setuser', 'herald', '&herald:*', '+info');
        assert.deepEqual((await test(redis, { username: 'herald', password: 'secret' })).problems, []);
      },
      { config: { requirepass: 'right' }, cli: ['-a', 'right'] },
    ));

  it('rejects with the reason if it cannot connect', () =>
    withRedis(
      async (redis) => {
        const failure = (more: object) => rejection(test(redis, more));
        assert.equal((await failure({})).code, 'unauthorized');
        assert.equal((await failure({ password: 'wrong' })).code, 'unauthorized');
        assert.equal((await failure({ url: 'http://127.0.0.1' })).code, 'not-configured');
        redis.hang();
        const hung = await failure({ password: 'right' });
        assert.deepEqual([hung.code, hung.text?.key], ['no-connection', 'redis-hung']);
        await redis.stop();
        const gone = await failure({ password: 'right' });
        assert.match(gone.message, /cannot be reached \(connect ECONNREFUSED/);
      },
      { config: { requirepass: 'right' } },
    ));

  it('rejects if Redis has no such database', () =>
    withRedis(async (redis) => {
      const failure = await rejection(test(redis, { url: `${redis.url}/99` }));
      assert.deepEqual([failure.code, failure.text?.key], ['not-configured', 'redis-database']);
      assert.match(failure.message, /database 99/);
      assert.deepEqual((await test(redis, { url: `${redis.url}/15` })).problems, []);
    }));

  it('rejects a server that is not Redis, without the text of a library', async () => {
    const server = createHttpServer((_request, response) => response.end());
    const url = `redis://127.0.0.1:${await listen(server)}`;
    const failure = await rejection(test({ url }));
    assert.deepEqual([failure.code, failure.text?.key], ['not-configured', 'redis-foreign']);
    await close(server);
  });

  it('names TLS if rediss:// meets a Redis without TLS', () =>
    withRedis(async ({ url }) => {
      const { message } = await rejection(test({ url: url.replace('redis:', 'rediss:') }));
      assert.match(message, /TLS/);
      assert.doesNotMatch(message, /Please report/);
    }));

  it('ends when the caller stops it, also if the server never replies', async () => {
    const server = createServer((socket) => socket.resume());
    const port = await listen(server);
    const url = `redis://127.0.0.1:${port}`;
    const stopped = await rejection(
      leavingNothing(() => testRedis(optionsOf({ url }), AbortSignal.timeout(50))),
    );
    assert.equal(stopped.code, 'aborted');
    await close(server);
  });
});
