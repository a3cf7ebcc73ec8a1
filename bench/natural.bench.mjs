/**
 * Measures natural voices with stub voices whose computation and weights resemble a Piper voice of quality medium
 *:
 * - memory of the service with a loaded voice,
 * - the first audio of a stream against the computation of its first sentence,
 * - 8 requests in three languages at once against the same requests one after another.
 * Memory is the resident set, summed over the service and its child processes. Linux only.
 * Usage: `node bench/natural.bench.mjs`.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { idsOf, installVoices, startComputing } from './stub-voices.mjs';
import { log, median, report } from './support.mjs';

const ROOT = path.join(import.meta.dirname, '..');
const ROUNDS = 5;
const FIRST = 'The kettle is on and the water will boil in a few minutes.';
const TEXT = `${FIRST} Please bring the cups from the kitchen. The cake is ready too. We can start.`;
const VOICES = ['en_US-bench-medium', 'de_DE-bench-medium', 'fr_FR-bench-medium'];
const TEXTS = [
  { voice: 'en_US-bench-medium', language: 'en', text: 'The kettle is on.' },
  { voice: 'de_DE-bench-medium', language: 'de', text: 'Das Wasser kocht.' },
  { voice: 'fr_FR-bench-medium', language: 'fr', text: 'Le repas est servi.' },
];

const data = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-'));
try {
  const folder = path.join(data, 'voices');
  installVoices(folder, VOICES);
  await withService(async (service) => {
    await measureSpeech(service, folder);
    await measureParallel(service);
  });
} finally {
  rmSync(data, { recursive: true });
}

/** @typedef {{url: string, key: string, pid: number}} Running */

/**
 * @template Result
 * @param {(service: Running) => Promise<Result>} work
 * @returns {Promise<Result>}
 */
async function withService(work) {
  const cli = path.join(ROOT, 'service', 'dist', 'cli', 'cli.js');
  const flags = ['--port', '0', '--data', data, '--json', '--quiet'];
  const child = spawn(process.execPath, [cli, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  try {
    return await work({ ...JSON.parse(line), pid: child.pid });
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

/**
 * @param {Running} service
 * @param {string} folder
 */
async function measureSpeech(service, folder) {
  const unused = memoryOf(service.pid);
  const warm = await speak(service, { ...TEXTS[0], text: FIRST });
  const used = memoryOf(service.pid);
  log(`memory with one loaded voice of 63 MB: ${used.toFixed()} MB`);
  report({
    name: 'memory with one loaded voice of 63 MB',
    ratio: used / unused,
    baseline: 'unused',
    value: used,
    bound: 900,
    unit: 'MB',
  });

  const model = path.join(folder, VOICES[0] ?? '', `${VOICES[0]}.onnx`);
  const computer = startComputing(model, idsOf(warm));
  await computer.time();
  /** @type {number[]} */
  const firsts = [];
  /** @type {number[]} */
  const computations = [];
  for (let round = 0; round < ROUNDS; round++) {
    computations.push(await computer.time());
    firsts.push(await firstAudio(service));
  }
  computer.end();
  const [first, computing] = [median(firsts), median(computations)];
  log(`first audio ${first.toFixed()} ms, computation of the first sentence ${computing.toFixed()} ms`);
  report({
    name: 'first audio of a natural voice',
    ratio: first / computing,
    baseline: 'computation of its sentence',
    bound: 1.3,
  });
}

/** @param {Running} service */
async function measureParallel(service) {
  const requests = Array.from({ length: 8 }, (_, index) => TEXTS[index % TEXTS.length] ?? assert.fail());
  for (const request of TEXTS) await speak(service, request);
  const serial = await timeOf(async () => {
    for (const request of requests.toSorted((one, other) => one.voice.localeCompare(other.voice)))
      await speak(service, request);
  });
  const parallel = await timeOf(() => Promise.all(requests.map((request) => speak(service, request))));
  log(`8 requests in three languages: ${parallel.toFixed()} ms at once, ${serial.toFixed()} ms in turn`);
  log(`memory after three voices: ${memoryOf(service.pid).toFixed()} MB`);
  report({
    name: '8 requests in three languages at once',
    ratio: parallel / serial,
    baseline: 'the same one after another, by voice',
    bound: 1.3,
  });
}

/**
 * @param {Running} service
 * @param {{voice?: string, language?: string, text: string}} request
 * @returns {Promise<Buffer>} WAV
 */
async function speak(service, request) {
  const reply = await post(service, request, '');
  return Buffer.from(await reply.arrayBuffer());
}

/** @param {Running} service @returns {Promise<number>} milliseconds */
async function firstAudio(service) {
  const before = performance.now();
  const { body } = await post(service, { ...TEXTS[0], text: TEXT }, '/stream');
  let bytes = 0;
  let first = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > 44) first ||= performance.now() - before;
  }
  return first;
}

/**
 * @param {Running} service
 * @param {{voice?: string, language?: string, text: string}} request
 * @param {string} suffix
 */
async function post({ url, key }, { voice, language, text }, suffix) {
  const reply = await fetch(`${url}/v1/text-to-speech/${voice}${suffix}`, {
    method: 'POST',
    headers: { 'x-sup-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ text, language }),
  });
  assert.ok(reply.ok, `${reply.status}`);
  return reply;
}

/** @param {() => Promise<unknown>} work @returns {Promise<number>} milliseconds */
async function timeOf(work) {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

/** @param {number} pid @returns {number} megabytes of a process and its children */
function memoryOf(pid) {
  const pages = /^Rss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return children.reduce((sum, child) => sum + memoryOf(Number(child)), Number(pages?.[1] ?? 0) / 1024);
}
