/**
 * Shows that a run of prompts over three instances of Node-RED is not slower than the same run of one instance. Both runs have 120
 * rows and a service that needs 400 ms for each.
 *
 * Usage: `node bench/spread.bench.mjs [PARALLEL [MILLISECONDS]]`: _Parallel files_ of the node, 4 by default, and the time of a call.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { withNodeRed } from './node-red.mjs';
import { listen, startRedis } from './redis.mjs';
import { log, report } from './support.mjs';

const { wavHeader } = createRequire(import.meta.url)('@herald-speech/client');

const PARALLEL = Number(process.argv[2] ?? 4);
const CALL_MS = Number(process.argv[3] ?? 400);
const ROWS = 120;
const MEMBERS = 3;

process.env['HERALD_CACHE'] = 'off';
/** A second of silence. */
const samples = Buffer.alloc(32_000);
const format = { encoding: 'pcm', sampleRate: 16_000, channels: 1, bitsPerSample: 16 };
const audio = Buffer.concat([wavHeader(format, samples.length), samples]);
const service = createServer((request, reply) => {
  request.resume();
  const isLookup = request.method === 'GET';
  const answer = () => {
    reply.writeHead(200, { 'content-type': isLookup ? 'application/json' : 'audio/wav' });
    reply.end(isLookup ? '{"voice_id":"voice-1"}' : audio);
  };
  request.on('end', () => setTimeout(answer, isLookup ? 0 : CALL_MS));
});
const port = await listen(service);
const redis = await startRedis();
const account = {
  id: 'account',
  type: 'herald-account',
  version: 3,
  service: 'hosted',
  url: `http://127.0.0.1:${port}`,
  requestsPerMinute: '100000',
  voice_id: 'voice-1',
  language: 'en',
  fallback: 'none',
  fleetUrl: redis.url,
  fleetWork: true,
  credentials: { apiKey: 'key-for-the-bench-of-32-letters-' },
};
/** @param {boolean} spread */
const promptsOf = (spread) => ({
  id: `prompts-${spread}`,
  type: 'herald-prompts',
  account: 'account',
  spread: String(spread),
  spreadType: 'bool',
  parallel: `${PARALLEL}`,
});
const script = path.join(import.meta.dirname, 'spread-member.mjs');
const members = Array.from({ length: MEMBERS - 1 }, () => fork(script, [JSON.stringify(account)]));
try {
  await Promise.all(members.map((member) => once(member, 'message')));
  await withNodeRed([promptsOf(false), promptsOf(true)], [account], async ({ pass }, folder) => {
    while (Number(redis.cli('zcard', redis.cli('keys', '*:tasks:members').trim())) < MEMBERS) await sleep(50);
    const alone = await seconds(pass, false, folder);
    const spread = await seconds(pass, true, folder);
    log(`${ROWS} rows: ${alone.toFixed(2)} s by one instance, ${spread.toFixed(2)} s by ${MEMBERS}`);
    report({
      name: `${ROWS} rows of prompts by ${MEMBERS} instances, ${PARALLEL} files at a time`,
      ratio: spread / alone,
      baseline: 'the same rows by one instance',
      bound: 1,
    });
  });
} finally {
  for (const member of members) member.disconnect();
  redis.stop();
  service.close();
  service.closeAllConnections();
}
process.exit();

/**
 * @param {import('./node-red.mjs').Flows['pass']} pass
 * @param {boolean} spread
 * @param {string} folder
 */
async function seconds(pass, spread, folder) {
  const payload = Array.from({ length: ROWS }, (_, row) => ({
    text: `Prompt ${row} of a run with spread ${spread}.`,
    filename: `${row}`,
  }));
  const start = performance.now();
  const message = { payload, folder: path.join(folder, `prompts-${spread}`) };
  const [result] = await pass(`prompts-${spread}`, [message]);
  const finished = /** @type {{ made: number } | undefined} */ (result?.payload);
  assert.equal(finished?.made, ROWS);
  return (performance.now() - start) / 1000;
}
