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
  /** @type {State[]} */
  const states = [];
  for (let step = 1; step <= STEPS; step++) {
    let left = REQUESTS / STEPS;
    const caller = async () => {
      while (left-- > 0) await one(left);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, caller));
    const state = stateOf(child.pid);
    states.push(state);
    const { memory, handles } = state;
    log(`${(step * REQUESTS) / STEPS} requests: ${memory.toFixed(0)} MB, ${handles} handles`);
  }
  const [first, last] = [states.at(0), states.at(-1)];
  assert.ok(first && last);
  const baseline = `after ${REQUESTS / STEPS}`;
  const [memory, handles] = [last.memory / first.memory, last.handles / first.handles];
  report({ name: `service memory after ${REQUESTS} requests`, ratio: memory, baseline, bound: 1.5 });
  report({ name: `service handles after ${REQUESTS} requests`, ratio: handles, baseline, bound: 1.2 });
}

/** @param {number} index */
async function one(index) {
  const isSpeech = index % 10 === 0;
  const { status } = isSpeech
    ? await send('POST', '/v1/text-to-speech/slt', SPEECH)
    : await send('GET', FREE[index % FREE.length] ?? '');
  assert.ok(status === 200 || status === 404, `status ${status}`);
}

/**
 * @typedef {object} Reply
 * @property {number | undefined} status
 * @property {string | undefined} retryAfter
 * @property {number} first milliseconds to the first byte of the body
 * @property {number} last milliseconds to the last byte of the body
 */

/**
 * Sends one request.
 * @param {string} method
 * @param {string} where path and query
 * @param {object} [body] sent as JSON
 * @param {http.Agent} [by]
 * @returns {Promise<Reply>}
 */
function send(method, where, body, by = agent) {
  const start = performance.now();
  const headers = { 'x-sup-api-key': key, ...(body && { 'content-type': 'application/json' }) };
  return new Promise((resolve, reject) => {
    const request = http.request(url + where, { method, headers, agent: by });
    request.once('error', reject).once('response', (reply) => {
      const { statusCode: status, headers } = reply;
      let first = 0;
      reply.on('data', () => (first ||= performance.now() - start));
      reply.once('error', reject).once('end', () => {
        resolve({ status, retryAfter: headers['retry-after'], first, last: performance.now() - start });
      });
    });
    request.end(body && JSON.stringify(body));
  });
}

/** @typedef {{memory: number, handles: number}} State Resident memory in MB and open handles of the service. */

/**
 * @param {number | undefined} pid
 * @returns {State}
 */
function stateOf(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { memory: Number(kilobytes) / 1024, handles: readdirSync(`/proc/${pid}/fd`).length };
}
