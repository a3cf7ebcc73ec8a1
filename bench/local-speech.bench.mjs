/**
 * Measures the local service with 1, 4 and 8 streams of 15 sentences at once, over the loopback interface: the time to the
 * first audio (median and 95th percentile) against the complete time of a single stream, and the real-time factor: the time
 * of a stream divided by the duration of its audio. A player of a stream with a factor below 1 never waits for audio.
 * Usage: `node bench/local-speech.bench.mjs [ROUNDS]`.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { log, median, report } from './support.mjs';

const ROUNDS = Number(process.argv[2] ?? 8);
const STREAMS = [1, 4, 8];
const SENTENCE = 'The kettle is on.';
/** Bytes of the header of a WAV file. */
const HEADER = 44;

const data = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-'));
const cli = path.join(import.meta.dirname, '..', 'service', 'dist', 'cli', 'cli.js');
const child = spawn(process.execPath, [cli, '--port', '0', '--data', data, '--json', '--quiet']);
child.stderr.pipe(process.stderr);
const [line] = await once(createInterface(child.stdout), 'line');
const { url, key } = JSON.parse(line);

try {
  await Promise.all(Array.from({ length: 8 }, stream)); // Starts the workers.
  compare(await measure());
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(data, { recursive: true });
}

/** @typedef {{first: number, last: number, seconds: number}} Stream Milliseconds to the first and last audio, and duration. */

/** @returns {Promise<Map<number, Stream[]>>} the streams by their number at once */
async function measure() {
  /** @type {Map<number, Stream[]>} */
  const streams = new Map(STREAMS.map((count) => [count, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [count, all] of streams)
      all.push(...(await Promise.all(Array.from({ length: count }, stream))));
  }
  return streams;
}

/** @param {Map<number, Stream[]>} streams */
function compare(streams) {
  const complete = median((streams.get(1) ?? []).map(({ last }) => last));
  for (const [count, all] of streams) {
    const firsts = all.map(({ first }) => first);
    const [p50, p95] = [median(firsts), percentile95(firsts)];
    const factors = all.map(({ last, seconds }) => last / 1000 / seconds);
    const label = `${count} ${count === 1 ? 'stream' : 'streams'}`;
    log(
      `${label}: first audio ${p50.toFixed(0)} ms (p50), ${p95.toFixed(0)} ms (p95), real-time factor ${median(factors).toFixed(3)}`,
    );
    const name = `local service, first audio of ${label} at once`;
    const baseline = 'one complete stream of 15 sentences';
    report({ name: `${name}, median`, ratio: p50 / complete, baseline, bound: count });
    report({ name: `${name}, 95th percentile`, ratio: p95 / complete, baseline, bound: 2 * count });
    report({
      name: `local service, real-time factor of ${label} at once`,
      ratio: median(factors),
      baseline: 'the duration',
      bound: 1,
    });
  }
}

/**
 * @param {readonly number[]} values
 * @returns {number} the smallest value that at most 5 % of the values exceed
 */
function percentile95(values) {
  return [...values].sort((a, b) => a - b)[Math.ceil(0.95 * values.length) - 1] ?? Number.NaN;
}

/** @returns {Promise<Stream>} */
async function stream() {
  const start = performance.now();
  const reply = await fetch(`${url}/v1/text-to-speech/slt/stream`, {
    method: 'POST',
    headers: { 'x-sup-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ text: `${SENTENCE} `.repeat(15).trim(), language: 'en' }),
  });
  assert.equal(reply.status, 200);
  assert.ok(reply.body !== null);
  let [first, bytes] = [0, 0];
  /** @type {Buffer[]} */
  const head = [];
  for await (const part of reply.body) {
    bytes += part.length;
    if (head.length === 0) head.push(Buffer.from(part));
    if (first === 0 && bytes > HEADER) first = performance.now() - start;
  }
  const bytesPerSecond = head[0]?.readUInt32LE(28) ?? Number.NaN;
  return { first, last: performance.now() - start, seconds: (bytes - HEADER) / bytesPerSecond };
}
