/**
 * Compares the time until the first audio of a text: the first piece of `client.stream` with `quickStart`, which is one
 * `createSpeech` of at most 100 characters, against the first audio bytes that `streamSpeech` sends for the same piece, and
 * for a piece of 300 characters. Two services: the local one, and a scripted one that needs 200 ms and then generates 20
 * seconds of audio per second. The requests of a round alternate. See docs/decisions/0053.
 * Usage: `node bench/stream-endpoint.bench.mjs [ROUNDS]`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { log, median, report } from './support.mjs';

const require = createRequire(import.meta.url);
const { createClient, wavHeader } = require('@herald-speech/client');

const ROUNDS = Number(process.argv[2] ?? 20);
const VOICE = 'slt';
const HEAD =
  'The kettle is on the stove, the door is open, and the lights in the kitchen are on this evening.';
const CHUNK = `${HEAD} `.repeat(3).trim();
/** Bytes of header and a tenth of a second of audio. */
const FIRST_AUDIO = 4500;

await withLocalService((url, key) => compare('local service', { url, key, bound: 1.6 }));
await withScriptedService((url) => compare('scripted service', { url, key: 'key', bound: 2.5 }));

/**
 * @param {string} service
 * @param {{ url: string, key: string, bound: number }} options
 */
async function compare(service, { url, key, bound }) {
  const client = createClient({ url, apiKey: key, requestsPerMinute: Infinity });
  const variants = {
    quickStart: () => firstPiece(client),
    'streamSpeech, short piece': () => firstBytes(url, key, HEAD),
    'streamSpeech, whole piece': () => firstBytes(url, key, CHUNK),
  };
  /** @type {Record<string, number[]>} */
  const times = {};
  for (let round = -2; round < ROUNDS; round++) {
    for (const [name, work] of Object.entries(variants)) {
      const time = await work();
      if (round >= 0) (times[name] ??= []).push(time);
    }
  }
  await client.close();
  const { quickStart = [], ...others } = times;
  log(`${service}, quickStart: ${median(quickStart).toFixed(0)} ms`);
  for (const [name, streamed] of Object.entries(others)) {
    log(`${service}, ${name}: ${median(streamed).toFixed(0)} ms`);
    const ratio = median(quickStart.map((time, round) => time / (streamed[round] ?? Number.NaN)));
    report({ name: `first audio with quickStart, ${service}`, ratio, baseline: name, bound });
  }
}

/** @param {import('@herald-speech/client').Client} client */
async function firstPiece(client) {
  const start = performance.now();
  const request = { voice_id: VOICE, language: 'en', text: HEAD };
  for await (const _piece of client.stream(request, { quickStart: true })) break;
  return performance.now() - start;
}

/**
 * Resolves with the milliseconds until the first audio of a streamed reply. Reads the reply to its end.
 * @param {string} url
 * @param {string} key
 * @param {string} text
 * @returns {Promise<number>}
 */
function firstBytes(url, key, text) {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-sup-api-key': key };
    const request = http.request(`${url}/v1/text-to-speech/${VOICE}/stream`, { method: 'POST', headers });
    request.once('error', reject);
    request.once('response', (reply) => {
      let bytes = 0;
      let first = Number.NaN;
      reply.on('data', (piece) => {
        bytes += piece.length;
        if (bytes >= FIRST_AUDIO && Number.isNaN(first)) first = performance.now() - start;
      });
      reply.once('end', () => resolve(first));
    });
    request.end(JSON.stringify({ language: 'en', text }));
  });
}

/** @param {(url: string, key: string) => Promise<void>} work */
async function withLocalService(work) {
  const data = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-'));
  const cli = path.join(import.meta.dirname, '..', 'service', 'dist', 'cli', 'cli.js');
  const child = spawn(process.execPath, [cli, '--port', '0', '--data', data, '--json', '--quiet']);
  child.stderr.pipe(process.stderr);
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    const { url, key } = JSON.parse(line);
    await work(url, key);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(data, { recursive: true });
  }
}

/** @param {(url: string) => Promise<void>} work */
async function withScriptedService(work) {
  const server = http.createServer((request, reply) => void generate(request, reply));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  try {
    await work(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/**
 * Replies with 15 characters per second of audio: as a whole, or half a second of audio at a time.
 * @param {http.IncomingMessage} request
 * @param {http.ServerResponse} reply
 */
async function generate(request, reply) {
  const [DELAY, FACTOR, RATE, STEP] = [200, 20, 22_050, 0.5];
  const body = [];
  for await (const piece of request) body.push(piece);
  const { text } = JSON.parse(Buffer.concat(body).toString());
  const steps = Math.ceil(text.length / 15 / STEP);
  const step = Buffer.alloc(RATE * STEP * 2);
  /** @type {import('@herald-speech/client').WavFormat} */
  const format = { encoding: 'pcm', channels: 1, sampleRate: RATE, bitsPerSample: 16 };
  const streams = request.url?.endsWith('/stream') === true;
  await sleep(DELAY);
  const header = wavHeader(format, streams ? undefined : steps * step.length);
  reply.writeHead(200, { 'content-type': 'audio/wav' });
  if (!streams) {
    await sleep((steps * STEP * 1000) / FACTOR);
    reply.end(Buffer.concat([header, ...Array.from({ length: steps }, () => step)]));
    return;
  }
  reply.write(header);
  for (let index = 0; index < steps; index++) {
    await sleep((STEP * 1000) / FACTOR);
    reply.write(step);
  }
  reply.end();
}
