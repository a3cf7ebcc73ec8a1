import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KEY } from '../support/node-red/flow.js';
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.js';
import { type RedisServer, withRedis } from '../support/programs/redis.js';
import {
  refused,
  type Scripted,
  type ScriptedServer,
  spoken,
  withServer,
} from '../support/net/scripted-server.js';
import { say, speakingFlows } from '../support/node-red/speaking-instance.js';
import { until } from '../support/waiting.js';

const PASSWORD = 'redis-password-of-a-test';
/** Requests per minute of the shared account. */
const RATE = 12;
const INSTANCES = 3;

/** The account of each instance. The password of Redis is in the environment of the instances. */
const accountOf = (service: string, redis: string): object => ({
  url: service,
  requestsPerMinute: String(RATE),
  voice_id: 'voice-1',
  attempts: '2',
  fleetUrl: redis,
  fleetPrefix: 'test:',
  fleetCache: 'redis',
  credentials: { apiKey: KEY, fleetUser: '', fleetPassword: '${TEST_REDIS_PASSWORD}' },
});

/** Three Node-RED processes that share one account of a scripted service. Each has a separate cache folder. */
interface Instances {
  all: NodeRed[];
  redis: RedisServer;
  server: ScriptedServer;
  /** Resolves when all instances have joined again. */
  joined(times: number): Promise<void>;
}

async function withInstances(
  script: (text: string) => Scripted | Promise<Scripted>,
  work: (instances: Instances) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-fleet-'));
  const config = { requirepass: PASSWORD, rdbcompression: 'no' };
  const start = (server: ScriptedServer, redis: RedisServer, index: number) =>
    startNodeRed(speakingFlows(accountOf(server.url, redis.url)), {
      script: `process.env.HERALD_CACHE = ${JSON.stringify(path.join(folder, `cache-${index}`))};
        process.env.TEST_REDIS_PASSWORD = ${JSON.stringify(PASSWORD)};`,
    });
  try {
    await withRedis(
      (redis) =>
        withServer(
          ({ method, json }) =>
            method === 'GET' ? { body: { voice_id: 'voice-1' } } : script(String(json['text'])),
          async (server) => {
            const starts = Array.from({ length: INSTANCES }, (_, index) => start(server, redis, index));
            try {
              const all = await Promise.all(starts);
              const joined = (times: number) =>
                until(() => all.every(({ log }) => countOf(log(), JOINED) >= times));
              await joined(1);
              await work({ all, redis, server, joined });
            } finally {
              const started = await Promise.allSettled(starts);
              await Promise.all(
                started.map(async (one) => one.status === 'fulfilled' && (await one.value.stop())),
              );
            }
          },
        ),
      { config, cli: ['-a', PASSWORD] },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const JOINED = 'shares its limits over Redis';
const APART = 'cannot use Redis';

/** Each instance also looks up the voice, which counts against the rate. */
const paid = ({ requests }: ScriptedServer): number =>
  requests.filter(({ method }) => method === 'POST').length;

const countOf = (log: string, line: string): number => log.split(line).length - 1;

describe('three Node-RED instances that share an account over Redis', function () {
  this.timeout(180_000);

  it('make one request for one text, never exceed the rate, pause together, and leave no secret in Redis', () => {
    const times: number[] = [];
    let refusal: number | undefined;
    const script = async (text: string): Promise<Scripted> => {
      times.push(performance.now());
      if (text === 'Limited.' && refusal === undefined) {
        refusal = performance.now();
        return refused(429, { 'retry-after': '3' });
      }
      // Long enough for the same text to arrive at each instance.
      await sleep(1000);
      return spoken();
    };
    return withInstances(script, async ({ all, redis, server }) => {
      const [first, second] = all;
      assert(first !== undefined && second !== undefined);

      const same = await Promise.all(all.map((instance) => say(instance, 'One text for all.')));
      assert.equal(paid(server), 1);
      assert.equal(same.filter(({ speech }) => speech?.cached).length, INSTANCES - 1);

      const limited = say(first, 'Limited.');
      await until(() => refusal !== undefined);
      // The pause reaches the other instances.
      await sleep(1000);
      const others = [say(second, 'After the pause.'), limited];
      for (const { error } of await Promise.all(others)) assert.equal(error ?? undefined, undefined);
      const next = times.find((time) => time > (refusal ?? Infinity)) ?? 0;
      assert.ok(next - (refusal ?? 0) >= 2900, `a request ${next - (refusal ?? 0)} ms after the 429`);

      const many = all.flatMap((instance, index) =>
        Array.from({ length: RATE }, (_, place) => say(instance, `Text ${place} of instance ${index}.`)),
      );
      await until(() => server.requests.length >= RATE);
      await sleep(3000);
      assert.equal(server.requests.length, RATE);

      await leavesNoSecret(redis);
      // The end of the instances answers the waiting messages.
      for (const waiting of many) waiting.catch(() => undefined);
    });
  });

  it('stop paid requests of all instances after a 402 of one', () =>
    withInstances(
      () => refused(402),
      async ({ all, server }) => {
        const [first, ...others] = all;
        assert(first !== undefined);
        assert.equal((await say(first, 'Paid.')).error?.code, 'out-of-credits');
        const sent = paid(server);
        // The state reaches the other instances.
        await sleep(1000);
        for (const instance of others)
          assert.equal((await say(instance, `Also paid at ${instance.url}`)).error?.code, 'out-of-credits');
        assert.equal(paid(server), sent);
      },
    ));

  it('speak on while Redis hangs or is gone, report it once, and join again', () =>
    withInstances(
      () => spoken(),
      async ({ all, redis, joined }) => {
        redis.hang();
        for (const [index, instance] of all.entries()) {
          const { speech } = await say(instance, `During the hang, at instance ${index}.`);
          assert.match(speech?.warnings.join() ?? '', /^Redis failed/);
        }
        redis.resume();
        await joined(2);
        for (const [index, instance] of all.entries()) {
          const { speech } = await say(instance, `After the hang, at instance ${index}.`);
          assert.deepEqual(speech?.warnings, []);
        }
        await redis.stop();
        for (const [index, instance] of all.entries())
          assert.ok((await say(instance, `Without Redis, at instance ${index}.`)).speech);
        await redis.start();
        await joined(3);
        for (const { log } of all) {
          assert.equal(countOf(log(), APART), 2);
          assert.equal(countOf(log(), JOINED), 3);
          for (const secret of [KEY, PASSWORD]) assert.ok(!log().includes(secret));
        }
      },
    ));
});

/** Reads a complete dump of Redis without compression. */
async function leavesNoSecret(redis: RedisServer): Promise<void> {
  const file = path.join(os.tmpdir(), `herald-fleet-${process.pid}.rdb`);
  try {
    await redis.cli('--rdb', file);
    const dump = readFileSync(file);
    assert.ok(dump.includes('test:{'), 'the dump has the keys of the fleet');
    const keys = await redis.cli('--scan');
    const values = dump.toString('latin1');
    for (const secret of [KEY, PASSWORD, Buffer.from(KEY).toString('base64')]) {
      assert.ok(!values.includes(secret));
      assert.ok(!keys.includes(secret));
    }
  } finally {
    rmSync(file, { force: true });
  }
}
