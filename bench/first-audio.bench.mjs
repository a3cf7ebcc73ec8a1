/**
 * Compares the time until the first audio of a sentence: over each other protocol of the service, against the first audio that
 * the native route `streamSpeech` sends. One service answers all of them, and the requests of a round alternate.
 * Usage: `node bench/first-audio.bench.mjs [ROUNDS]`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { log, median, report } from './support.mjs';

/**
 * @typedef {object} Addresses
 * @property {string} url
 * @property {string} key
 * @property {string} wyoming
 */

const ROUNDS = Number(process.argv[2] ?? 40);
/** Rounds before the first measured one. */
const WARM_UP = 5;
const VOICE = 'slt';
const TEXT =
  'The kettle is on the stove, the door is open, and the lights in the kitchen are on this evening. Dinner is ready.';
/** Bytes of headers, marks and a tenth of a second of audio, without and with compression. */
const FIRST_AUDIO = { plain: 4500, compressed: 1300 };
const BOUND = 1.2;

/**
 * Sends a request for `TEXT` over each protocol. Resolves with the reply.
 * @type {Record<string, (addresses: Addresses) => Promise<NodeJS.ReadableStream>>}
 */
const protocols = {
  native,
  Wyoming: wyoming,
  'OpenAI, wav': (addresses) => openAi(addresses, 'wav'),
  'OpenAI, pcm': (addresses) => openAi(addresses, 'pcm'),
  'OpenAI, mp3': (addresses) => openAi(addresses, 'mp3'),
  'OpenAI, opus': (addresses) => openAi(addresses, 'opus'),
};
const compressed = ['OpenAI, mp3', 'OpenAI, opus'];

const times = await withService(async (addresses) => {
  /** @type {Record<string, number[]>} */
  const times = {};
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [name, send] of Object.entries(protocols)) {
      const time = await firstAudio(
        () => send(addresses),
        compressed.includes(name) ? 'compressed' : 'plain',
      );
      if (round >= 0) (times[name] ??= []).push(time);
    }
  }
  return times;
});

const { native: baseline = [], ...others } = times;
log(`native: ${median(baseline).toFixed(1)} ms`);
for (const [name, measured] of Object.entries(others)) {
  log(`${name}: ${median(measured).toFixed(1)} ms`);
  const ratio = median(measured) / median(baseline);
  report({ name: `first audio over ${name}`, ratio, baseline: 'the native streaming route', bound: BOUND });
}

/**
 * Resolves with the milliseconds from the request to the first audio. Reads the reply to its end.
 * @param {() => Promise<NodeJS.ReadableStream>} send
 * @param {keyof typeof FIRST_AUDIO} kind
 * @returns {Promise<number>}
 */
async function firstAudio(send, kind) {
  const start = performance.now();
  let first = Number.NaN;
  let bytes = 0;
  for await (const piece of await send()) {
    bytes += piece.length;
    if (bytes >= FIRST_AUDIO[kind] && Number.isNaN(first)) first = performance.now() - start;
  }
  return first;
}

/** @param {Addresses} addresses */
async function native({ url, key }) {
  const headers = { 'content-type': 'application/json', 'x-sup-api-key': key };
  const request = http.request(`${url}/v1/text-to-speech/${VOICE}/stream`, { method: 'POST', headers });
  request.end(JSON.stringify({ language: 'en', text: TEXT }));
  const [reply] = await once(request, 'response');
  return reply;
}

/**
 * @param {Addresses} addresses
 * @param {string} format
 */
async function openAi({ url, key }, format) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const request = http.request(`${url}/v1/audio/speech`, { method: 'POST', headers });
  request.end(JSON.stringify({ model: 'tts-1', voice: VOICE, input: TEXT, response_format: format }));
  const [reply] = await once(request, 'response');
  return reply;
}

/**
 * Opens a connection for each request, as Home Assistant does, and closes its side after the request.
 * @param {Addresses} addresses
 */
async function wyoming({ wyoming }) {
  const { hostname, port } = new URL(wyoming);
  const socket = net.connect(Number(port), hostname);
  const data = { text: TEXT, voice: { name: VOICE } };
  socket.end(`${JSON.stringify({ type: 'synthesize', data })}\n`);
  return socket;
}

/**
 * @template Result
 * @param {(addresses: Addresses) => Promise<Result>} work
 */
async function withService(work) {
  const data = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-'));
  const cli = path.join(import.meta.dirname, '..', 'service', 'dist', 'cli', 'cli.js');
  const options = ['--port', '0', '--wyoming', '0', '--data', data, '--json', '--quiet'];
  const child = spawn(process.execPath, [cli, ...options]);
  child.stderr.pipe(process.stderr);
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    return await work(JSON.parse(line));
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(data, { recursive: true });
  }
}
