/**
 * How the local service bears load: `node bench/service-load.mjs [REQUESTS]` (10,000) after `npm run build`.
 * Prints memory (resident, of the whole process) and open file handles along the way, and how long requests take.
 * Everything goes over the loopback interface to a service of its own. Linux alone: it reads /proc.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';

const REQUESTS = Number(process.argv[2] ?? 10_000);
const AT_A_TIME = 16;
const STEPS = 10;
const SPEECH = { text: 'The kettle is on.', language: 'en' };

const data = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-'));
const cli = path.join(import.meta.dirname, '..', 'service', 'dist', 'cli', 'cli.js');
const child = spawn(process.execPath, [cli, '--port', '0', '--data', data, '--json', '--quiet']);
child.stderr.pipe(process.stderr);
const [line] = await once(createInterface(child.stdout), 'line');
const { url, key } = JSON.parse(line);
const agent = new http.Agent({ keepAlive: true, maxSockets: AT_A_TIME });

try {
  await firstSounds();
  await parallel();
  await manyRequests();
} finally {
  agent.destroy();
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(data, { recursive: true });
}

/** Time to the first byte of a stream, and to its last, in one sentence and in many. */
async function firstSounds() {
  await send('POST', '/v1/text-to-speech/slt', SPEECH); // The first job starts a worker.
  for (const sentences of [1, 5, 15]) {
    const text = `${SPEECH.text} `.repeat(sentences).trim();
    const { first, last } = await send('POST', '/v1/text-to-speech/slt/stream', { ...SPEECH, text });
    console.log(`stream of ${sentences} sentences: first byte ${ms(first)}, all ${ms(last)}`);
  }
}

/** 200 requests for speech at once. */
async function parallel() {
  const start = performance.now();
  const wide = new http.Agent({ maxSockets: 200 });
  const calls = Array.from({ length: 200 }, () => send('POST', '/v1/text-to-speech/slt', SPEECH, wide));
  const replies = await Promise.all(calls);
  const counts = groupByStatus(replies);
  const words = [...counts].map(([status, all]) => `${all.length} x ${status}`).join(', ');
  for (const { status, retryAfter } of replies) assert.ok(status === 200 || retryAfter !== undefined);
  console.log(`200 at once: ${words} in ${ms(performance.now() - start)}; ${state()}`);
}

function groupByStatus(replies) {
  const counts = new Map();
  for (const reply of replies) counts.set(reply.status, [...(counts.get(reply.status) ?? []), reply]);
  return counts;
}

/** Nine free ones and one for speech in ten. */
async function manyRequests() {
  console.log(`before: ${state()}`);
  for (let step = 1; step <= STEPS; step++) {
    const times = [];
    let left = REQUESTS / STEPS;
    const caller = async () => {
      while (left-- > 0) times.push(await one(left));
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, caller));
    times.sort((a, b) => a - b);
    const [half, most] = [0.5, 0.95].map((share) => times[Math.floor(times.length * share)]);
    const done = (step * REQUESTS) / STEPS;
    console.log(`${done} requests: ${state()}; half within ${ms(half)}, 95 % within ${ms(most)}`);
  }
}

async function one(index) {
  const isSpeech = index % 10 === 0;
  const free = ['/v1/credits', '/v1/voices?page_size=10', '/v1/voices/rms', '/v1/voices/nobody'];
  const { last, status } = isSpeech
    ? await send('POST', '/v1/text-to-speech/slt', SPEECH)
    : await send('GET', free[index % free.length]);
  assert.ok([200, 404].includes(status), `status ${status}`);
  return last;
}

/** One exchange: its status, and milliseconds to the first byte of the body and to the last. */
function send(method, where, body, by = agent) {
  const start = performance.now();
  const headers = { 'x-sup-api-key': key, ...(body && { 'content-type': 'application/json' }) };
  return new Promise((resolve, reject) => {
    const request = http.request(url + where, { method, headers, agent: by });
    request.once('error', reject).once('response', (reply) => {
      let first;
      reply.on('data', () => (first ??= performance.now() - start));
      reply.once('error', reject).once('end', () => {
        const { statusCode: status, headers } = reply;
        resolve({ status, retryAfter: headers['retry-after'], first, last: performance.now() - start });
      });
    });
    request.end(body && JSON.stringify(body));
  });
}

function state() {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
  return `${Math.round(kilobytes / 1024)} MB, ${readdirSync(`/proc/${child.pid}/fd`).length} handles`;
}

function ms(time) {
  return `${Math.round(time)} ms`;
}
