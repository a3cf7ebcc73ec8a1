/**
 * Compares the processor time of a short call with the time of bare undici. Both send the same request to the same
 * server. It runs in a separate process and replies with a short WAV. Does the same with the request of an OpenAI-compatible
 * service. Also compares a call that finds nothing in the cache
 * with a call without a cache. The rounds of all variants alternate.
 * Usage: `node bench/call-cpu.bench.mjs [ROUNDS] [CALLS]`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { request } from 'undici';
import { log, median, processorTimes, report } from './support.mjs';

const require = createRequire(import.meta.url);
const { createClient, operations } = require('@herald-speech/client');

const ROUNDS = Number(process.argv[2] ?? 25);
const CALLS = Number(process.argv[3] ?? 400);
const AT_ONCE = 8;
const BOUND = 1.5;
const SPEECH = { voice_id: 'rms', language: 'en', text: 'Hello.' };
const KEY = 'key-for-the-bench-of-32-letters-';

const server = fork(path.join(import.meta.dirname, 'wav-server.mjs'));
const [url] = await once(server, 'message');
const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-cache-'));
const options = { url, apiKey: KEY, requestsPerMinute: Infinity };
const client = createClient(options);
const caching = createClient({ ...options, cache: { folder } });
const openai = createClient({ ...options, upstream: { kind: 'openai' } });

let texts = 0;
const fresh = () => ({ ...SPEECH, text: `Hello ${(texts += 1)}.` });
const variants = {
  undici: inSequence(bareUndici),
  'client.call': inSequence(() => client.call(operations.createSpeech, SPEECH)),
  'client.speak': inSequence(() => client.speak(SPEECH)),
  'undici at once': atOnce(bareUndici),
  'client.speak at once': atOnce(() => client.speak(SPEECH)),
  'undici, OpenAI': inSequence(bareOpenAi),
  'client.call, OpenAI': inSequence(() => openai.call(operations.createSpeech, SPEECH)),
  'client.speak, OpenAI': inSequence(() => openai.speak(SPEECH)),
  'undici at once, OpenAI': atOnce(bareOpenAi),
  'client.speak at once, OpenAI': atOnce(() => openai.speak(SPEECH)),
  uncached: inSequence(() => client.speak(fresh())),
  miss: inSequence(() => caching.speak(fresh())),
};

try {
  compare(await processorTimes(variants, ROUNDS, CALLS));
} finally {
  await Promise.all([client.close(), caching.close(), openai.close()]);
  server.kill();
  rmSync(folder, { recursive: true });
}

/** @param {Record<keyof typeof variants, number[]>} times microseconds */
function compare(times) {
  for (const [name, each] of Object.entries(times)) log(`${name}: ${median(each).toFixed(0)} µs per call`);
  const rowOf = (
    /** @type {string} */ name,
    /** @type {number[]} */ calls,
    /** @type {number[]} */ bare,
  ) => ({
    name: `processor time of ${name}`,
    ratio: median(calls.map((time, round) => time / (bare[round] ?? Number.NaN))),
  });
  const bare = { baseline: 'undici.request', bound: BOUND };
  report({ ...rowOf('client.call', times['client.call'], times.undici), ...bare });
  report({ ...rowOf('client.speak', times['client.speak'], times.undici), ...bare });
  const eight = `client.speak, ${AT_ONCE} at once`;
  report({ ...rowOf(eight, times['client.speak at once'], times['undici at once']), ...bare });
  const bareOfOpenAi = times['undici, OpenAI'];
  report({ ...rowOf('client.call, OpenAI', times['client.call, OpenAI'], bareOfOpenAi), ...bare });
  report({ ...rowOf('client.speak, OpenAI', times['client.speak, OpenAI'], bareOfOpenAi), ...bare });
  const eightOpenAi = `client.speak, OpenAI, ${AT_ONCE} at once`;
  const atOnceBare = times['undici at once, OpenAI'];
  report({ ...rowOf(eightOpenAi, times['client.speak at once, OpenAI'], atOnceBare), ...bare });
  report({
    ...rowOf('client.speak, nothing in the cache', times.miss, times.uncached),
    baseline: 'without a cache',
    value: median(times.miss.map((time, round) => (time - (times.uncached[round] ?? Number.NaN)) / 1000)),
    unit: 'ms more',
    bound: 0.7,
  });
}

/** @param {() => Promise<unknown>} call */
function inSequence(call) {
  return async () => {
    for (let count = 0; count < CALLS; count++) await call();
  };
}

/** @param {() => Promise<unknown>} call */
function atOnce(call) {
  return async () => {
    let started = 0;
    const caller = async () => {
      while (started++ < CALLS) await call();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, caller));
  };
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

async function bareOpenAi() {
  const { body } = await request(`${url}/v1/audio/speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
    body: JSON.stringify({
      model: 'tts-1',
      input: SPEECH.text,
      voice: SPEECH.voice_id,
      response_format: 'wav',
    }),
  });
  return body.arrayBuffer();
}
