/**
 * Shows that the local service keeps its memory and closes its handles under load. One request in ten is for speech.
 * The ratio compares memory (resident, of the whole process) and open handles after all requests with those after the
 * first tenth, when caches and workers exist. All requests go over the loopback interface. Linux only: reads /proc.
 * Usage: `node bench/service-load.bench.mjs [REQUESTS]`.
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
import { log, report } from './support.mjs';

const REQUESTS = Number(process.argv[2] ?? 4000);
const CONCURRENCY = 16;
const STEPS = 10;
const SPEECH = { text: 'The kettle is on.', language: 'en' };
const FREE = ['/v1/credits', '/v1/voices?page_size=10', '/v1/voices/rms', '/v1/voices/unknown'];

const data = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-'));
const cli = path.join(import.meta.dirname, '..', 'service', 'dist', 'cli', 'cli.js');
const child = spawn(process.execPath, [cli, '--port', '0', '--data', data, '--json', '--quiet']);
child.stderr.pipe(process.stderr);
const [line] = await once(createInterface(child.stdout), 'line');
const { url, key } = JSON.parse(line);
const agent = new http.Agent({ keepAlive: true, maxSockets: CONCURRENCY });

try {
  await firstByte();
  await burst();
  await growth();
} finally {
  agent.destroy();
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(data, { recursive: true });
}

/** Compares the time to the first byte of a long streamed text with the time to the last. */
async function firstByte() {
  const text = `${SPEECH.text} `.repeat(15).trim();
  await send('POST', '/v1/text-to-speech/slt', SPEECH); // Starts a worker.
  const { first, last } = await send('POST', '/v1/text-to-speech/slt/stream', { ...SPEECH, text });
  const name = 'first byte of a stream of 15 sentences';
  report({ name, ratio: first / last, baseline: 'all bytes', bound: 0.5 });
}

/** Sends 200 requests for speech at once. Each must succeed or be refused with a Retry-After. */
async function burst() {
  const wide = new http.Agent({ maxSockets: 200 });
  const calls = Array.from({ length: 200 }, () => send('POST', '/v1/text-to-speech/slt', SPEECH, wide));
  const replies = await Promise.all(calls);
  const succeeded = replies.filter(({ status }) => status === 200).length;
  for (const { status, retryAfter } of replies) assert.ok(status === 200 || retryAfter !== undefined);
  log(`200 at once: ${succeeded} succeeded, the others got a Retry-After`);
}

async function growth() {
  const states = [];
  for (let step = 1; step <= STEPS; step++) {
    let left = REQUESTS / STEPS;
    const caller = async () => {
      while (left-- > 0) await one(left);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, caller));
    states.push(stateOf(child.pid));
    const { memory, handles } = states.at(-1);
    log(`${(step * REQUESTS) / STEPS} requests: ${memory.toFixed(0)} MB, ${handles} handles`);
  }
  const [first, last] = [states.at(0), states.at(-1)];
  const baseline = `after ${REQUESTS / STEPS}`;
  const of = (measure) => ({ ratio: last[measure] / first[measure], baseline });
  report({ name: `service memory after ${REQUESTS} requests`, ...of('memory'), bound: 1.5 });
  report({ name: `service handles after ${REQUESTS} requests`, ...of('handles'), bound: 1.2 });
}

async function one(index) {
  const isSpeech = index % 10 === 0;
  const { status } = isSpeech
    ? await send('POST', '/v1/text-to-speech/slt', SPEECH)
    : await send('GET', FREE[index % FREE.length]);
  assert.ok([200, 404].includes(status), `status ${status}`);
}

/** Sends one request. Resolves with its status and the milliseconds to the first and to the last byte of the body. */
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

function stateOf(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return { memory: kilobytes / 1024, handles: readdirSync(`/proc/${pid}/fd`).length };
}
