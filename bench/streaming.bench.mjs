/**
 * Measures `client.stream` with a service that needs 300 ms for each request, and `concurrency` 4: the time until the first
 * piece of 10,000 characters against one request, and the total against requests / concurrency x 300 ms. Then writes
 * 20,000 and 200,000 characters to a file, each in a separate process, and compares their peak memory.
 * Usage: `node bench/streaming.bench.mjs [ROUNDS]`.
 */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { log, median, report } from './support.mjs';

const require = createRequire(import.meta.url);
const { createClient } = require('@herald-speech/client');

const LATENCY = 300;
const CONCURRENCY = 4;
const VOICE = { voice_id: 'rms', language: 'en' };
const MEMORY = 'memory';

const [mode = '5', address = '', characters = ''] = process.argv.slice(2);
if (mode === MEMORY) await writeFile(address, Number(characters));
else {
  await withServer([LATENCY, 0.1], (url) => compareTimes(url, Number(mode)));
  await withServer([0, 10], compareMemory);
}

/**
 * @param {string} url
 * @param {number} rounds
 */
async function compareTimes(url, rounds) {
  const client = clientOf(url);
  /** @type {Record<'one' | 'first' | 'total' | 'bound', number[]>} */
  const times = { one: [], first: [], total: [], bound: [] };
  for (let round = -1; round < rounds; round++) {
    const one = await streamTimes(client, 'Hello.', false);
    const long = await streamTimes(client, textOf(10_000), true);
    if (round < 0) continue;
    times.one.push(one.total);
    times.first.push(long.first);
    times.total.push(long.total);
    times.bound.push(Math.ceil(long.count / CONCURRENCY) * LATENCY);
  }
  await client.close();
  const [one, first, total, bound] = [times.one, times.first, times.total, times.bound].map(median);
  log(`one request ${one?.toFixed(0)} ms, first piece ${first?.toFixed(0)} ms`);
  log(`10,000 characters ${total?.toFixed(0)} ms, bound ${bound} ms`);
  const against = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
    median(a.map((time, round) => time / (b[round] ?? Number.NaN)));
  report({
    name: 'first piece of 10,000 characters',
    ratio: against(times.first, times.one),
    baseline: 'one request',
    bound: 1.15,
  });
  report({
    name: 'all pieces of 10,000 characters',
    ratio: against(times.total, times.bound),
    baseline: 'requests / 4 x 300 ms',
    bound: 1.15,
  });
}

/**
 * @param {import('@herald-speech/client').Client} client
 * @param {string} text
 * @param {boolean} quickStart
 */
async function streamTimes(client, text, quickStart) {
  const start = performance.now();
  let first = 0;
  let count = 0;
  for await (const _piece of client.stream({ ...VOICE, text }, { quickStart })) {
    count += 1;
    if (count === 1) first = performance.now() - start;
  }
  return { first, total: performance.now() - start, count };
}

/** @param {string} url */
async function compareMemory(url) {
  const [short = 0, long = 0] = [20_000, 200_000].map((characters) => {
    const output = execFileSync(process.execPath, [import.meta.filename, MEMORY, url, String(characters)]);
    const megabytes = Number(output) / 1e6;
    log(`${characters} characters: peak memory ${megabytes.toFixed(0)} MB`);
    return megabytes;
  });
  const name = 'peak memory of 200,000 characters, more than 20,000';
  report({
    name,
    ratio: long / short,
    baseline: '20,000 characters',
    value: long - short,
    bound: 40,
    unit: 'MB',
  });
}

/**
 * Writes the pieces of a text to a file. Prints the peak memory of this process in bytes.
 * @param {string} url
 * @param {number} characters
 */
async function writeFile(url, characters) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-'));
  const client = clientOf(url);
  const file = await open(path.join(folder, 'speech.wav'), 'w');
  try {
    for await (const { audio } of client.stream({ ...VOICE, text: textOf(characters) }))
      await file.write(audio);
  } finally {
    await file.close();
    await client.close();
    rmSync(folder, { recursive: true });
  }
  console.log(process.resourceUsage().maxRSS * 1024);
}

/** @param {string} url */
function clientOf(url) {
  return createClient({ url, apiKey: 'key', requestsPerMinute: Infinity, concurrency: CONCURRENCY });
}

/** @param {number} characters */
function textOf(characters) {
  const sentence = 'The kettle is on the stove, the door is open, and the lights in the kitchen are on. ';
  return sentence.repeat(Math.ceil(characters / sentence.length)).slice(0, characters);
}

/**
 * @param {readonly number[]} values arguments of the server
 * @param {(url: string) => Promise<void>} work
 */
async function withServer(values, work) {
  const server = fork(path.join(import.meta.dirname, 'wav-server.mjs'), values.map(String));
  const [url] = await once(server, 'message');
  try {
    await work(String(url));
  } finally {
    server.kill();
  }
}
