import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectAudio, z } from '@herald-speech/client';
import { KEY } from '../support/node-red/flow.js';
import { type FlowNode, type NodeRed, startNodeRed } from '../support/node-red/node-red.js';
import { type RedisServer, withRedis } from '../support/programs/redis.js';
import { type ScriptedServer, spoken, withServer } from '../support/net/scripted-server.js';
import { until } from '../support/waiting.js';

/** Times of the calls, so that each process has some. */
const CALL_MS = 100;

type Row = { text: string; filename: string };

const tableOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    text: `Prompt number ${index}.`,
    filename: `${index % 5}/prompt-${index}.wav`,
  }));

/** Each prompt has its length, so that a file with the speech of another row is found. */
const secondsOf = (text: string): number => 0.1 + Number(/\d+/.exec(text)?.[0]) / 1000;

const reportOf = z.object({
  rows: z.number(),
  made: z.number(),
  cached: z.number(),
  failed: z.array(z.unknown()),
});

/** An instance that runs the table of a POST to `/run`, and replies with the report. */
function flows(service: string, redis: string, folder: string): FlowNode[] {
  return [
    { id: 'flow', type: 'tab', label: 'prompts' },
    {
      id: 'account',
      type: 'herald-account',
      version: 3,
      service: 'hosted',
      url: service,
      requestsPerMinute: '6000',
      voice_id: 'voice-1',
      fallback: 'none',
      fleetUrl: redis,
      fleetWork: true,
      credentials: { apiKey: KEY },
    },
    { id: 'in', type: 'http in', z: 'flow', url: '/run', method: 'post', wires: [['prompts']] },
    {
      id: 'prompts',
      type: 'herald-prompts',
      z: 'flow',
      account: 'account',
      folder,
      spread: 'true',
      spreadType: 'bool',
      wires: [['out'], ['out'], ['out'], ['out']],
    },
    { id: 'out', type: 'http response', z: 'flow', wires: [] },
  ];
}

interface Instances {
  all: readonly NodeRed[];
  /** Starts an instance with the cache and the folder of an instance that was killed. */
  start(index: number): Promise<NodeRed>;
  redis: RedisServer;
  /** The file of `SAVE`. */
  dump: string;
  server: ScriptedServer;
  /** The folder of prompt files of an instance. */
  folderOf(index: number): string;
  /** Texts of the paid calls. */
  texts(): string[];
  /** The most calls at a time. */
  most(): number;
}

/** Runs `work` with three Node-RED processes that share one account, each with a separate cache and folder. */
async function withInstances(work: (instances: Instances) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-prompts-fleet-'));
  const folderOf = (index: number): string => path.join(folder, `prompts-${index}`);
  let running = 0;
  let most = 0;
  const script = async ({ json }: { json: Record<string, unknown> }) => {
    most = Math.max(most, ++running);
    await sleep(CALL_MS);
    running--;
    return spoken({ seconds: secondsOf(String(json['text'])) });
  };
  const run = async (server: ScriptedServer, redis: RedisServer): Promise<void> => {
    const starts: Promise<NodeRed>[] = [];
    const start = (index: number): Promise<NodeRed> => {
      const started = startNodeRed(flows(server.url, redis.url, folderOf(index)), {
        script: `process.env.HERALD_CACHE = ${JSON.stringify(path.join(folder, `cache-${index}`))};`,
      });
      starts.push(started);
      return started;
    };
    const texts = () => server.requests.map(({ json }) => String(json['text']));
    try {
      const all = await Promise.all([0, 1, 2].map(start));
      while ((await workers(redis)) < 3) await sleep(50);
      await work({
        all,
        start,
        redis,
        dump: path.join(folder, 'dump.rdb'),
        server,
        folderOf,
        texts,
        most: () => most,
      });
    } finally {
      for (const start of await Promise.allSettled(starts))
        if (start.status === 'fulfilled') await start.value.stop();
    }
  };
  try {
    await withRedis(
      (redis) => withServer(script, (server) => run(server, redis), undefined, { describesVoices: false }),
      { config: { dir: folder, rdbcompression: 'no' } },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the number of members that work on prompts. */
async function workers(redis: RedisServer): Promise<number> {
  const key = await redis.cli('KEYS', '*:tasks:members');
  return key === '' ? 0 : Number(await redis.cli('ZCARD', key));
}

async function runTable({ url }: NodeRed, rows: readonly Row[]): Promise<z.output<typeof reportOf>> {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${url}run`, { method: 'POST', headers, body: JSON.stringify(rows) });
  return reportOf.parse(await reply.json());
}

function assertFiles(folder: string, rows: readonly Row[]): void {
  for (const { text, filename } of rows) {
    const { duration } = inspectAudio(readFileSync(path.join(folder, filename)));
    assert(Math.abs(duration - secondsOf(text)) < 0.01, `${filename}: ${duration} s`);
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  assert.equal(files.filter((file) => file.endsWith('.wav')).length, rows.length);
}

describe('a run of prompts over three instances', function () {
  this.timeout(180_000);

  it('makes each file and pays each row once, and at most once more for an instance that is killed', async () => {
    await withInstances(async ({ all: [first, second], server, folderOf, texts, most, redis, dump }) => {
      assert(first && second);
      const rows = tableOf(300);
      const running = runTable(first, rows);
      await until(() => server.requests.length >= 100);
      assert.equal(most(), 3, 'each instance makes one prompt at a time');
      await redis.cli('SAVE');
      const stored = readFileSync(dump, 'latin1');
      assert(stored.includes('Prompt number') && !stored.includes(KEY), 'Redis has tasks, but no key');
      await second.kill();
      const report = await running;
      assert.deepEqual([report.rows, report.made, report.failed], [300, 300, []]);
      assertFiles(folderOf(0), rows);
      assert.equal(new Set(texts()).size, 300);
      assert(server.requests.length <= 301, `${server.requests.length} calls`);
      assert(!existsSync(folderOf(2)), 'only the instance with the table writes files');
    });
  });

  it('continues after the instance with the table was killed, and pays at most one row again', async () => {
    await withInstances(async ({ all: [first], start, server, folderOf, texts }) => {
      assert(first);
      const rows = tableOf(120);
      const interrupted = assert.rejects(runTable(first, rows));
      await until(() => server.requests.length >= 40);
      await first.kill();
      await interrupted;
      const report = await runTable(await start(0), rows);
      assert.deepEqual([report.rows, report.failed], [120, []]);
      assertFiles(folderOf(0), rows);
      assert.equal(new Set(texts()).size, 120);
      assert(server.requests.length <= 121, `${server.requests.length} calls`);
    });
  });

  it('makes the remaining files alone, some at a time, after Redis has ended', async () => {
    await withInstances(async ({ all: [first], server, folderOf, texts, most, redis }) => {
      assert(first);
      const rows = tableOf(60);
      const running = runTable(first, rows);
      await until(() => server.requests.length >= 20);
      await redis.stop();
      const report = await running;
      assert.deepEqual([report.rows, report.made, report.failed], [60, 60, []]);
      assertFiles(folderOf(0), rows);
      assert.equal(new Set(texts()).size, 60);
      // The results of three calls that were running could not be stored.
      assert(server.requests.length <= 63, `${server.requests.length} calls`);
      // The default of `parallel`, and the calls that each instance was making for the fleet.
      assert(most() <= 4 + 3, `${most()} at a time`);
      await redis.start();
      await until(() => first.log().split('shares its limits over Redis').length >= 3);
    });
  });
});
