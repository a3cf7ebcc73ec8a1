/** Instances of Node-RED that make prompts together, for the tests of spread runs. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectAudio, z } from '@herald-speech/client';
import { fleetScript } from './fleet-times.js';
import { KEY } from './flow.js';
import { type FlowNode, type NodeRed, startNodeRed } from './node-red.js';
import { PATIENT_MS, type RedisServer, withRedis } from '../programs/redis.js';
import { type ScriptedServer, spoken, withServer } from '../net/scripted-server.js';

/** Times of the calls, so that each process has some. */
const CALL_MS = 100;

/** _Parallel files_ of the node. The default is 4. */
export const PARALLEL = 3;

export type Row = { text: string; filename: string };

export const tableOf = (run: string, count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    text: `Prompt number ${index} of the ${run} run.`,
    filename: `${run}/${index % 5}/prompt-${index}.wav`,
  }));

/** Each prompt has its length, so that a file with the speech of another row is found. */
const secondsOf = (text: string): number => 0.1 + Number(/\d+/.exec(text)?.[0]) / 1000;

const reportOf = z.object({
  rows: z.number(),
  made: z.number(),
  cached: z.number(),
  failed: z.array(z.unknown()),
});

/** Returns the flows of an instance that runs the table of a POST to `/run`, and replies with the report. */
export function promptsFlows(account: object, folder: string): FlowNode[] {
  return [
    { id: 'flow', type: 'tab', label: 'prompts' },
    {
      id: 'account',
      type: 'herald-account',
      version: 3,
      requestsPerMinute: '6000',
      fallback: 'none',
      fleetWork: true,
      credentials: { apiKey: KEY },
      ...account,
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
      parallel: `${PARALLEL}`,
      wires: [['out'], ['out'], ['out'], ['out']],
    },
    { id: 'out', type: 'http response', z: 'flow', wires: [] },
  ];
}

/** A killed instance loses its task after at most five seconds. */
export const promptsTimes = fleetScript({
  commandMs: PATIENT_MS,
  work: { lockMs: 4000 },
});

/** The running parts of the tests. */
interface Parts {
  /** Starts an instance with a cache and a folder of these numbers. */
  start(index: number, cache?: number): Promise<NodeRed>;
  redis: RedisServer;
  /** The file of `SAVE`. */
  dump: string;
  server: ScriptedServer;
  /** The folder of prompt files of an instance. */
  folderOf(index: number): string;
  /** Returns the texts of the paid calls of a run. */
  texts(run: string): string[];
  /** Returns the most calls at a time since the last call of this function. */
  most(): number;
}

/** Runs `work` with Redis, a scripted service, and instances that stop after it. */
export async function withParts(work: (parts: Parts) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-prompts-fleet-'));
  const folderOf = (index: number): string => path.join(folder, `prompts-${index}`);
  let running = 0;
  let highest = 0;
  const script = async ({ json }: { json: Record<string, unknown> }) => {
    highest = Math.max(highest, ++running);
    await sleep(CALL_MS);
    running--;
    return spoken({ seconds: secondsOf(String(json['text'])) });
  };
  const most = (): number => {
    const result = highest;
    highest = 0;
    return result;
  };
  const run = async (server: ScriptedServer, redis: RedisServer): Promise<void> => {
    const starts: Promise<NodeRed>[] = [];
    const start = (index: number, cache = index): Promise<NodeRed> => {
      const cacheFolder = JSON.stringify(path.join(folder, `cache-${cache}`));
      const account = { service: 'hosted', url: server.url, voice_id: 'voice-1', fleetUrl: redis.url };
      const started = startNodeRed(promptsFlows(account, folderOf(index)), {
        script: `${promptsTimes} process.env.HERALD_CACHE = ${cacheFolder};`,
      });
      starts.push(started);
      return started;
    };
    const texts = (name: string) =>
      server.requests.map(({ json }) => String(json['text'])).filter((text) => text.includes(name));
    try {
      await work({ start, redis, dump: path.join(folder, 'dump.rdb'), server, folderOf, texts, most });
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
export async function workers(redis: RedisServer): Promise<number> {
  const keys = (await redis.cli('KEYS', '*:tasks*:members')).split('\n').filter((key) => key !== '');
  const counts = await Promise.all(keys.map((key) => redis.cli('ZCARD', key)));
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

export async function runTable({ url }: NodeRed, rows: readonly Row[]): Promise<z.output<typeof reportOf>> {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${url}run`, { method: 'POST', headers, body: JSON.stringify(rows) });
  return reportOf.parse(await reply.json());
}

/** Asserts that the folder of a run has exactly the files of a table, each with the speech of its row. */
export function assertFiles(folder: string, run: string, rows: readonly Row[]): void {
  for (const { text, filename } of rows) {
    const { duration } = inspectAudio(readFileSync(path.join(folder, filename)));
    assert(Math.abs(duration - secondsOf(text)) < 0.01, `${filename}: ${duration} s`);
  }
  const files = readdirSync(path.join(folder, run), { recursive: true, encoding: 'utf8' });
  assert.equal(files.filter((file) => file.endsWith('.wav')).length, rows.length);
}
