/**
 * Measures the memory of the idle local service after ten sentences, and the first request after the idle time. Memory
 * is the resident set (`Rss` of /proc/PID/smaps_rollup), summed over the service and all its child processes, so shared
 * pages count once per process. Linux only.
 * Usage: `node bench/idle-memory.bench.mjs [IDLE_TIMEOUT]` in milliseconds.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { log, median, report } from './support.mjs';

/** The service's default is 60,000. */
const IDLE_TIMEOUT = Number(process.argv[2] ?? 2000);
const SENTENCES = 10;
const ROUNDS = 3;
const ENGLISH = { voice: 'rms', language: 'en', text: 'The kettle is on.' };
const GERMAN = { voice: 'de-anna', language: 'de', text: 'Das Wasser kocht.' };

const data = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-'));
const cli = path.join(import.meta.dirname, '..', 'service', 'dist', 'cli', 'cli.js');
const options = ['--port', '0', '--data', data, '--idle-timeout', String(IDLE_TIMEOUT), '--json', '--quiet'];
const service = spawn(process.execPath, [cli, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
const [line] = await once(createInterface(service.stdout), 'line');
const { url, key } = JSON.parse(line);
const bare = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);

try {
  await delay(500); // The bare process has started.
  await measure('local service, idle after ten English sentences', [ENGLISH], 120);
  await measure('local service, idle after ten sentences with eSpeak NG', [ENGLISH, GERMAN], 200);
  await restart(ENGLISH);
  await restart(GERMAN);
} finally {
  bare.kill();
  service.kill('SIGTERM');
  await once(service, 'exit');
  rmSync(data, { recursive: true });
}

/**
 * Speaks ten sentences with each voice, waits until the service is idle and reports its memory.
 * @param {string} name
 * @param {ReadonlyArray<typeof ENGLISH>} sentences
 * @param {number} bound Megabytes.
 */
async function measure(name, sentences, bound) {
  for (const sentence of sentences) {
    for (let count = 0; count < SENTENCES; count++) await speak(sentence);
  }
  log(
    `${name}: ${memoryOf(service.pid).toFixed(0)} MB in ${treeOf(service.pid).length} processes before idling`,
  );
  await untilIdle();
  const value = memoryOf(service.pid);
  report({ name, value, unit: 'MB', bound, ratio: value / memoryOf(bare.pid), baseline: 'bare Node.js' });
}

/**
 * Compares the first request after the idle time with the next one, as medians.
 * @param {typeof ENGLISH} sentence
 */
async function restart(sentence) {
  const first = [];
  const next = [];
  for (let round = 0; round < ROUNDS; round++) {
    await untilIdle();
    first.push(await speak(sentence));
    await speak(sentence);
    next.push(await speak(sentence));
  }
  const name = `first sentence in "${sentence.language}" after the idle time`;
  log(`${name}: ${median(first).toFixed(0)} ms, the third ${median(next).toFixed(0)} ms`);
  report({ name, ratio: median(first) / median(next), baseline: 'the third sentence', bound: 100 });
}

/** Waits until the service has no child process. */
async function untilIdle() {
  const patience = performance.now() + IDLE_TIMEOUT + 10_000;
  while (treeOf(service.pid).length > 1) {
    assert.ok(performance.now() < patience, 'the speech process did not end after the idle time');
    await delay(50);
  }
}

/**
 * Requests a sentence and reads the audio.
 * @param {typeof ENGLISH} sentence
 * @returns {Promise<number>} Milliseconds.
 */
async function speak({ voice, ...body }) {
  const start = performance.now();
  const headers = { 'x-sup-api-key': key, 'content-type': 'application/json' };
  const where = `${url}/v1/text-to-speech/${voice}`;
  const reply = await fetch(where, { method: 'POST', headers, body: JSON.stringify(body) });
  assert.equal(reply.status, 200, await reply.clone().text());
  await reply.arrayBuffer();
  return performance.now() - start;
}

/**
 * @param {number | undefined} pid
 * @returns {number} Megabytes of the process and all processes below it.
 */
function memoryOf(pid) {
  const kilobytes = treeOf(pid).map((each) => {
    const found = /^Rss:\s+(\d+)/m.exec(readFileSync(`/proc/${each}/smaps_rollup`, 'utf8'));
    return Number(found?.[1]);
  });
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

/**
 * @param {number | undefined} pid
 * @returns {number[]} The process and all processes below it. A thread may be the parent of a process.
 */
function treeOf(pid) {
  if (pid === undefined) throw new Error('the process did not start');
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(treeOf)];
}
