import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  PARALLEL,
  promptsFlows,
  promptsTimes,
  runTable,
  tableOf,
  workers,
} from '../support/node-red/fleet-prompts.js';
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.js';
import { type Seen, spoken, withServer } from '../support/net/scripted-server.js';
import { describeWith } from '../support/programs/describe-with.js';
import { type RedisServer, withRedis } from '../support/programs/redis.js';
import { useParts } from '../support/use-parts.js';
import { until } from '../support/waiting.js';

const ROWS = 12;

interface Parts {
  redis: RedisServer;
  first: NodeRed;
  second: NodeRed;
  folder: string;
}

async function withInstances(work: (parts: Parts) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-prompts-kinds-'));
  const start = (index: number): Promise<NodeRed> => {
    const cache = JSON.stringify(path.join(folder, `cache-${index}`));
    return startNodeRed([], { script: `${promptsTimes} process.env.HERALD_CACHE = ${cache};` });
  };
  const run = async (redis: RedisServer): Promise<void> => {
    const starts = [start(0), start(1)] as const;
    try {
      const [first, second] = await Promise.all(starts);
      await work({ redis, first, second, folder });
    } finally {
      for (const started of await Promise.allSettled(starts))
        if (started.status === 'fulfilled') await started.value.stop();
    }
  };
  try {
    await withRedis(run);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describeWith(['redis-server'], 'a spread run of prompts with an OpenAI-compatible service', () => {
  const running = useParts(withInstances);

  /**
   * Runs a table at the first instance. Returns the models of the paid calls.
   * @param atOnce calls for which the service waits before it answers the first one
   */
  async function spread(name: string, models: readonly [string, string], atOnce: number) {
    const { redis, first, second, folder } = running();
    const used: unknown[] = [];
    const script = async ({ method, json }: Seen) => {
      if (method === 'GET') return { body: ['nova'] };
      used.push(json['model']);
      await until(() => used.length >= atOnce);
      return spoken();
    };
    await withServer(script, async ({ url }) => {
      const account = { service: 'openai', url: `${url}/v1`, voice_id: 'nova', language: 'en' };
      const shared = { ...account, fleetUrl: redis.url, fleetPrefix: `${name}:` };
      const flowsOf = (model: string) => promptsFlows({ ...shared, model }, path.join(folder, name));
      await redis.cli('FLUSHALL');
      await Promise.all([first.deploy(flowsOf(models[0])), second.deploy(flowsOf(models[1]))]);
      await until(async () => (await workers(redis)) >= 2);
      const report = await runTable(first, tableOf(name, ROWS));
      assert.deepEqual([report.made, report.failed], [ROWS, []]);
      const files = readdirSync(path.join(folder, name), { recursive: true, encoding: 'utf8' });
      assert.equal(files.filter((file) => file.endsWith('.wav')).length, ROWS);
      // Both instances stop before the service.
      await Promise.all([first.deploy([]), second.deploy([])]);
    });
    return used;
  }

  it('is made by all instances with equal settings, each row once', async () => {
    // One instance alone makes fewer at a time.
    const used = await spread('equal', ['one', 'one'], PARALLEL + 1);
    assert.deepEqual(
      used,
      Array.from({ length: ROWS }, () => 'one'),
    );
  });

  it('has no row of an instance whose account has another model', async () => {
    const used = await spread('models', ['one', 'other'], 1);
    assert.deepEqual(
      used,
      Array.from({ length: ROWS }, () => 'one'),
    );
  });
});
