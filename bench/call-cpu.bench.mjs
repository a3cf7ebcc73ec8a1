/**
 * Compares the processor time of a short call with the time of bare undici. Both send the same request to the same
 * server. It runs in a separate process and replies with a short WAV. The rounds of all variants alternate.
 * Usage: `node bench/call-cpu.bench.mjs [ROUNDS] [CALLS]`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { request } from 'undici';
import { log, median, report } from './support.mjs';

const require = createRequire(import.meta.url);
const { createClient, operations } = require('@herald-speech/client');

const ROUNDS = Number(process.argv[2] ?? 25);
const CALLS = Number(process.argv[3] ?? 400);
const BOUND = 1.5;
const SPEECH = { voice_id: 'rms', language: 'en', text: 'Hello.' };
const KEY = 'key-for-the-bench-of-32-letters-';

const server = fork(path.join(import.meta.dirname, 'wav-server.mjs'));
const [url] = await once(server, 'message');
const client = createClient({ url, apiKey: KEY, requestsPerMinute: Infinity });

const variants = {
  undici: bareUndici,
  'client.call': () => client.call(operations.createSpeech, SPEECH),
  'client.speak': () => client.speak(SPEECH),
};

try {
  compare(await measure());
} finally {
  await client.close();
  server.kill();
}

/** @returns {Promise<Record<string, number[]>>} Microseconds of processor time per call, one value per round. */
async function measure() {
  /** @type {Record<string, number[]>} */
  const times = {};
  for (let round = -3; round < ROUNDS; round++) {
    for (const [name, work] of Object.entries(variants)) {
      const start = process.cpuUsage();
      for (let call = 0; call < CALLS; call++) await work();
      const { user, system } = process.cpuUsage(start);
      if (round >= 0) (times[name] ??= []).push((user + system) / CALLS);
    }
  }
  return times;
}

/** @param {Record<string, number[]>} times */
function compare({ undici = [], ...clients }) {
  log(`undici: ${median(undici).toFixed(0)} µs per call`);
  for (const [name, times] of Object.entries(clients)) {
    log(`${name}: ${median(times).toFixed(0)} µs per call`);
    const ratio = median(times.map((time, round) => time / (undici[round] ?? Number.NaN)));
    report({ name: `processor time of ${name}`, ratio, baseline: 'undici.request', bound: BOUND });
  }
}

async function bareUndici() {
  const { voice_id, ...fields } = SPEECH;
  const { body } = await request(`${url}/v1/text-to-speech/${voice_id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-sup-api-key': KEY },
    body: JSON.stringify(fields),
  });
  return body.arrayBuffer();
}
