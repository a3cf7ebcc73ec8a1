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
import { setTimeout as pause } from 'node:timers/promises';
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
/**
 * Bytes of headers, marks and a tenth of a second of audio. AAC adds 43 ms of silence at the start, and its first frames are larger than
 * the later ones. FLAC has about half the bytes of the samples.
 */
const FIRST_AUDIO = { plain: 4500, flac: 2700, mp3: 1300, aac: 1500, opus: 800 };
const BOUND = 1.2;
/** Milliseconds between two requests. The service prepares the next reply of AAC and FLAC in this time. */
const PAUSE = 250;

/**
 * A protocol sends a request for `TEXT` and resolves with the reply. `bytes` is the size of its first audio.
 * @type {Record<string, {send: (addresses: Addresses) => Promise<NodeJS.ReadableStream>, bytes: number}>}
 */
const protocols = {
  native: { send: native, bytes: FIRST_AUDIO.plain },
  Wyoming: { send: wyoming, bytes: FIRST_AUDIO.plain },
  'OpenAI, wav': { send: openAi('wav'), bytes: FIRST_AUDIO.plain },
  'OpenAI, pcm': { send: openAi('pcm'), bytes: FIRST_AUDIO.plain },
  'OpenAI, mp3': { send: openAi('mp3'), bytes: FIRST_AUDIO.mp3 },
  'OpenAI, opus': { send: openAi('opus'), bytes: FIRST_AUDIO.opus },
  'OpenAI, aac': { send: openAi('aac'), bytes: FIRST_AUDIO.aac },
  'OpenAI, flac': { send: openAi('flac'), bytes: FIRST_AUDIO.flac },
};

const times = await withService(async (addresses) => {
  /** @type {Record<string, number[]>} */
  const times = {};
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [name, { send, bytes }] of Object.entries(protocols)) {
      const time = await firstAudio(() => send(addresses), bytes);
      if (round >= 0) (times[name] ??= []).push(time);
      await pause(PAUSE);
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
 * @param {number} size Bytes of the first audio.
 * @returns {Promise<number>}
 */
async function firstAudio(send, size) {
  const start = performance.now();
  let first = Number.NaN;
  let bytes = 0;
  for await (const piece of await send()) {
    bytes += piece.length;
    if (bytes >= size && Number.isNaN(first)) first = performance.now() - start;
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
 * @param {string} format
 * @returns {(addresses: Addresses) => Promise<NodeJS.ReadableStream>}
 */
function openAi(format) {
  const body = JSON.stringify({ model: 'tts-1', voice: VOICE, input: TEXT, response_format: format });
  return async ({ url, key }) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const request = http.request(`${url}/v1/audio/speech`, { method: 'POST', headers });
    request.end(body);
    const [reply] = await once(request, 'response');
    return reply;
  };
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
