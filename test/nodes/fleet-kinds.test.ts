import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fleetScript } from '../support/node-red/fleet-times.js';
import { KEY } from '../support/node-red/flow.js';
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.js';
import { say, speakingFlows } from '../support/node-red/speaking-instance.js';
import { refused, type Seen, spoken, withServer } from '../support/net/scripted-server.js';
import { speaking, speaks, withWyoming } from '../support/net/wyoming-server.js';
import { describeWith } from '../support/programs/describe-with.js';
import { PATIENT_MS, type RedisServer, withRedis } from '../support/programs/redis.js';
import { leavesNoSecret } from '../support/programs/redis-secrets.js';
import { useParts } from '../support/use-parts.js';
import { until } from '../support/waiting.js';

const PASSWORD = 'redis-password-of-a-test';
const JOINED = 'shares its limits over Redis';

/** Milliseconds of a text at a service: long enough for the same text to arrive at each instance. */
const SPEECH_MS = 500;

interface Parts {
  redis: RedisServer;
  first: NodeRed;
  second: NodeRed;
  /** Deploys an account to both instances, and resolves when both have joined. */
  deploy(account: object): Promise<void>;
}

/** Runs `work` with two instances without flows. Each has a separate cache folder. */
async function withInstances(work: (parts: Parts) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-fleet-kinds-'));
  const start = (index: number): Promise<NodeRed> =>
    startNodeRed([], {
      script: `${fleetScript({ commandMs: PATIENT_MS })}
        process.env.HERALD_CACHE = ${JSON.stringify(path.join(folder, `cache-${index}`))};
        process.env.TEST_REDIS_PASSWORD = ${JSON.stringify(PASSWORD)};`,
    });
  const run = async (redis: RedisServer): Promise<void> => {
    const starts = [start(0), start(1)] as const;
    try {
      const [first, second] = await Promise.all(starts);
      await work({ redis, first, second, deploy: (account) => deployed([first, second], redis, account) });
    } finally {
      for (const started of await Promise.allSettled(starts))
        if (started.status === 'fulfilled') await started.value.stop();
    }
  };
  try {
    await withRedis(run, {
      config: { requirepass: PASSWORD, rdbcompression: 'no' },
      cli: ['-a', PASSWORD],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function deployed(all: readonly NodeRed[], redis: RedisServer, account: object): Promise<void> {
  const before = all.map(({ log }) => log().length);
  const shared = { attempts: '2', fleetUrl: redis.url, fleetCache: 'redis', ...account };
  const credentials = { apiKey: KEY, fleetUser: '', fleetPassword: '${TEST_REDIS_PASSWORD}' };
  const flows = speakingFlows({ ...shared, credentials });
  await Promise.all(all.map((instance) => instance.deploy(flows)));
  await until(() => all.every(({ log }, index) => log().slice(before[index]).includes(JOINED)));
}

/** Speaks one text with both instances at the same time. Fails unless one of them gets the audio of the other. */
async function sharesOneText({ first, second }: Parts, text: string): Promise<void> {
  const replies = await Promise.all([say(first, text), say(second, text)]);
  assert.equal(replies.filter(({ speech }) => speech?.cached === true).length, 1);
  assert.equal(replies.filter(({ speech }) => speech?.cached === false).length, 1);
}

describeWith(['redis-server'], 'two Node-RED instances that share an account of another service', () => {
  const running = useParts(withInstances);

  it('make one request for one text, and pause together after a 429, with an OpenAI-compatible service', () => {
    const times: number[] = [];
    let refusal: number | undefined;
    const script = async ({ method, json }: Seen) => {
      if (method === 'GET') return { body: ['nova'] };
      times.push(performance.now());
      if (json['input'] === 'Limited.' && refusal === undefined) {
        refusal = performance.now();
        return refused(429, { 'retry-after': '1' });
      }
      await sleep(SPEECH_MS);
      return spoken();
    };
    return withServer(script, async ({ url }) => {
      const parts = running();
      const { first, second, redis, deploy } = parts;
      const account = { service: 'openai', url: `${url}/v1`, voice_id: 'nova', requestsPerMinute: '600' };
      await deploy({ ...account, fleetPrefix: 'openai:' });
      await sharesOneText(parts, 'One text for both.');
      assert.equal(times.length, 1);

      const limited = say(first, 'Limited.');
      await until(() => isPaused(redis));
      const others = [say(second, 'After the pause.'), limited];
      for (const { error } of await Promise.all(others)) assert.equal(error ?? undefined, undefined);
      const next = times.find((time) => time > (refusal ?? Infinity)) ?? 0;
      assert.ok(next - (refusal ?? 0) >= 900, `a request ${next - (refusal ?? 0)} ms after the 429`);
      await leavesNoSecret(redis, 'openai:', [KEY, PASSWORD]);
    });
  });

  it('share no audio of another model with an OpenAI-compatible service', () => {
    const script = ({ method }: Seen) => (method === 'GET' ? { body: ['nova'] } : spoken());
    return withServer(script, async ({ url, requests }) => {
      const { first, second, deploy } = running();
      const account = { service: 'openai', url: `${url}/v1`, voice_id: 'nova', fleetPrefix: 'models:' };
      const paid = () => requests.filter(({ method }) => method === 'POST');
      await deploy(account);
      assert.equal((await say(first, 'One text.')).speech?.cached, false);
      assert.equal((await say(second, 'One text.')).speech?.cached, true);
      await deploy({ ...account, model: 'other' });
      assert.equal((await say(second, 'One text.')).speech?.cached, false);
      assert.deepEqual(
        paid().map(({ json }) => json['model']),
        ['tts-1', 'other'],
      );
    });
  });

  it('send one text once with a Wyoming server', () => {
    const script = speaking(async (event, socket, index) => {
      await sleep(SPEECH_MS);
      await speaks(event, socket, index);
    });
    return withWyoming(script, async ({ url, events }) => {
      const parts = running();
      await parts.deploy({ service: 'wyoming', address: url, fleetPrefix: 'wyoming:' });
      await sharesOneText(parts, 'One text for both.');
      assert.equal(events.filter(({ type }) => type === 'synthesize').length, 1);
      await leavesNoSecret(parts.redis, 'wyoming:', [KEY, PASSWORD]);
    });
  });
});

/** Returns whether the fleet has stored a pause. */
async function isPaused(redis: RedisServer): Promise<boolean> {
  const key = await redis.cli('keys', 'openai:*:state');
  return (await redis.cli('hget', key, 'general:paused')) !== '';
}
