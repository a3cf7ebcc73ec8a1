import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fleetScript } from '../support/node-red/fleet-times.js';
import { describeWith } from '../support/programs/describe-with.js';
import { KEY } from '../support/node-red/flow.js';
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.js';
import { HANG_MS, PATIENT_MS, type RedisServer, withRedis } from '../support/programs/redis.js';
import { leavesNoSecret } from '../support/programs/redis-secrets.js';
import {
  refused,
  type Scripted,
  type ScriptedServer,
  spoken,
  withServer,
} from '../support/net/scripted-server.js';
import { say, speakingFlows } from '../support/node-red/speaking-instance.js';
import { useParts } from '../support/use-parts.js';
import { until } from '../support/waiting.js';

const PASSWORD = 'redis-password-of-a-test';
/** Requests per minute of the shared account. */
const RATE = 12;
const INSTANCES = 3;
/** The prefix of the accounts whose Redis hangs. */
const HANGING = 'hanging:';

/** The account of each instance. The password of Redis is in the environment of the instances. */
const accountOf = (service: string, redis: string, fleetPrefix: string): object => ({
  url: service,
  requestsPerMinute: String(RATE),
  voice_id: 'voice-1',
  attempts: '2',
  fleetUrl: redis,
  fleetPrefix,
  fleetCache: 'redis',
  credentials: { apiKey: KEY, fleetUser: '', fleetPassword: '${TEST_REDIS_PASSWORD}' },
});

const JOINED = 'shares its limits over Redis';
const APART = 'cannot use Redis';

const countOf = (log: string, line: string): number => log.split(line).length - 1;

/** The reply of the scripted service to a text. */
type Reply = (text: string) => Scripted | Promise<Scripted>;

/** Three Node-RED processes that share one account of a scripted service. Each has a separate cache folder. */
class Instances {
  reply: Reply = () => spoken();
  private starts: readonly string[] = [];

  constructor(
    readonly all: readonly NodeRed[],
    readonly redis: RedisServer,
    readonly server: ScriptedServer,
  ) {}

  /** Deploys an account with new limits, and resolves when all instances have joined. */
  async deploy(prefix: string, reply: Reply): Promise<void> {
    this.reply = reply;
    this.server.requests.length = 0;
    this.starts = this.all.map(({ log }) => log());
    const flows = speakingFlows(accountOf(this.server.url, this.redis.url, prefix));
    await Promise.all(this.all.map((instance) => instance.deploy(flows)));
    await this.joined(1);
  }

  /** Resolves when all instances have joined so many times since the deploy. */
  joined(times: number): Promise<void> {
    return until(() => this.logs().every((log) => countOf(log, JOINED) >= times));
  }

  /** Returns the log of each instance since the deploy. */
  logs(): string[] {
    return this.all.map(({ log }, index) => log().slice(this.starts[index]?.length));
  }

  /** Each instance also looks up the voice, which counts against the rate. */
  paid(): number {
    return this.server.requests.filter(({ method }) => method === 'POST').length;
  }
}

/** Runs `work` with three instances without flows. */
async function withInstances(work: (instances: Instances) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-fleet-'));
  const times = fleetScript({ commandMs: PATIENT_MS }, { [HANGING]: { commandMs: HANG_MS } });
  const start = (_value: unknown, index: number) =>
    startNodeRed([], {
      script: `${times}
        process.env.HERALD_CACHE = ${JSON.stringify(path.join(folder, `cache-${index}`))};
        process.env.TEST_REDIS_PASSWORD = ${JSON.stringify(PASSWORD)};`,
    });
  let instances: Instances | undefined;
  const script = ({ method, json }: { method: string; json: Record<string, unknown> }) =>
    method === 'GET'
      ? { body: { voice_id: 'voice-1' } }
      : (instances?.reply(String(json['text'])) ?? refused(503));
  const run = async (redis: RedisServer, server: ScriptedServer): Promise<void> => {
    const starts = Array.from({ length: INSTANCES }, start);
    try {
      instances = new Instances(await Promise.all(starts), redis, server);
      await work(instances);
    } finally {
      for (const started of await Promise.allSettled(starts))
        if (started.status === 'fulfilled') await started.value.stop();
    }
  };
  try {
    await withRedis((redis) => withServer(script, (server) => run(redis, server)), {
      config: { requirepass: PASSWORD, rdbcompression: 'no' },
      cli: ['-a', PASSWORD],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describeWith(['redis-server'], 'three Node-RED instances that share an account over Redis', function () {
  const running = useParts(withInstances);

  it('make one request for one text, never exceed the rate, pause together, and leave no secret in Redis', async () => {
    const instances = running();
    const times: number[] = [];
    let refusal: number | undefined;
    await instances.deploy('test:', async (text) => {
      times.push(performance.now());
      if (text === 'Limited.' && refusal === undefined) {
        refusal = performance.now();
        return refused(429, { 'retry-after': '1' });
      }
      // Long enough for the same text to arrive at each instance.
      await sleep(300);
      return spoken();
    });
    const { all, redis, server } = instances;
    const [first, second] = all;
    assert(first !== undefined && second !== undefined);

    const same = await Promise.all(all.map((instance) => say(instance, 'One text for all.')));
    assert.equal(instances.paid(), 1);
    assert.equal(same.filter(({ speech }) => speech?.cached).length, INSTANCES - 1);

    const limited = say(first, 'Limited.');
    await until(() => isPaused(redis));
    const others = [say(second, 'After the pause.'), limited];
    for (const { error } of await Promise.all(others)) assert.equal(error ?? undefined, undefined);
    const next = times.find((time) => time > (refusal ?? Infinity)) ?? 0;
    assert.ok(next - (refusal ?? 0) >= 900, `a request ${next - (refusal ?? 0)} ms after the 429`);

    const many = all.flatMap((instance, index) =>
      Array.from({ length: RATE }, (_, place) => say(instance, `Text ${place} of instance ${index}.`)),
    );
    // The deploy of the next test answers the waiting messages.
    for (const waiting of many) waiting.catch(() => undefined);
    await until(() => server.requests.length >= RATE);
    // Without the shared limit, the other texts arrive at once.
    await sleep(500);
    assert.equal(server.requests.length, RATE);
    await leavesNoSecret(redis, 'test:', [KEY, PASSWORD]);
  });

  it('stop paid requests of all instances after a 402 of one', async () => {
    const instances = running();
    await instances.deploy('credits:', () => refused(402));
    const { all, redis } = instances;
    const [first, ...others] = all;
    assert(first !== undefined);
    assert.equal((await say(first, 'Paid.')).error?.code, 'out-of-credits');
    const sent = instances.paid();
    await until(async () => (await redis.cli('keys', 'credits:*:credits')) !== '');
    for (const instance of others)
      assert.equal((await say(instance, `Also paid at ${instance.url}`)).error?.code, 'out-of-credits');
    assert.equal(instances.paid(), sent);
  });

  it('speak on while Redis hangs or is gone, report it once, and join again', async () => {
    const instances = running();
    await instances.deploy(HANGING, () => spoken());
    const { all, redis } = instances;
    redis.hang();
    for (const [index, instance] of all.entries()) {
      const { speech } = await say(instance, `During the hang, at instance ${index}.`);
      assert.match(speech?.warnings.join() ?? '', /^Redis failed/);
    }
    redis.resume();
    await instances.joined(2);
    for (const [index, instance] of all.entries()) {
      const { speech } = await say(instance, `After the hang, at instance ${index}.`);
      assert.deepEqual(speech?.warnings, []);
    }
    await redis.stop();
    for (const [index, instance] of all.entries())
      assert.ok((await say(instance, `Without Redis, at instance ${index}.`)).speech);
    await redis.start();
    await instances.joined(3);
    for (const log of instances.logs()) {
      assert.equal(countOf(log, APART), 2);
      assert.equal(countOf(log, JOINED), 3);
    }
    for (const { log } of all) for (const secret of [KEY, PASSWORD]) assert.ok(!log().includes(secret));
  });
});

/** Returns whether the fleet has stored a pause. */
async function isPaused(redis: RedisServer): Promise<boolean> {
  const key = await redis.cli('keys', 'test:*:state');
  return (await redis.cli('hget', key, 'general:paused')) !== '';
}
