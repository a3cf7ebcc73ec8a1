/**
 * Compares the time until the first audio over Wyoming: of the client with a Wyoming server, against a bare TCP client. The local
 * service answers both, with the same text and voice, and the requests of a round alternate. The client returns whole pieces of a text,
 * so its first audio is the first piece.
 * Usage: `npm run build`, then `node bench/wyoming-client.bench.mjs [ROUNDS]`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@herald-speech/client';
import { log, median, report } from './support.mjs';

const ROUNDS = Number(process.argv[2] ?? 40);
/** Rounds before the first measured one. */
const WARM_UP = 5;
const VOICE = 'slt';
const SENTENCE = 'The kettle is on the stove, and the lights in the kitchen are on this evening.';
const TEXTS = { 'a sentence': SENTENCE, 'a text of 30 sentences': `${SENTENCE} `.repeat(30) };
const BOUND = 1.2;
/** Milliseconds between two requests: the service ends the work for the request before. */
const PAUSE = 150;

await withService(async (address) => {
  const client = createClient({ url: address, apiKey: '', upstream: { kind: 'wyoming' } });
  /** @type {Record<'client' | 'bare', (text: string) => Promise<number>>} */
  const ways = { client: (text) => firstPiece(client, text), bare: (text) => firstChunk(address, text) };
  for (const [name, text] of Object.entries(TEXTS)) {
    /** @type {Record<'client' | 'bare', number[]>} */
    const times = { client: [], bare: [] };
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      for (const way of /** @type {const} */ (['client', 'bare'])) {
        const time = await ways[way](text);
        if (round >= 0) times[way].push(time);
        await pause(PAUSE);
      }
    }
    const [ours, bare] = [median(times.client), median(times.bare)];
    log(`${name}: ${ours.toFixed(1)} ms, a bare client ${bare.toFixed(1)} ms`);
    const baseline = 'a bare client';
    report({ name: `first audio of ${name} over Wyoming`, ratio: ours / bare, baseline, bound: BOUND });
  }
  await client.close();
});

/**
 * Resolves with the milliseconds to the first piece, and leaves the rest of the text.
 * @param {import('@herald-speech/client').Client} client
 * @param {string} text
 */
async function firstPiece(client, text) {
  const start = performance.now();
  const pieces = client.stream({ voice_id: VOICE, language: 'en', text }, { quickStart: true });
  await pieces.next();
  const time = performance.now() - start;
  await pieces.return();
  return time;
}

/**
 * Resolves with the milliseconds to the first samples of a client without any checks, and hangs up.
 * @param {string} address
 * @param {string} text
 */
async function firstChunk(address, text) {
  const { hostname, port } = new URL(address);
  const start = performance.now();
  const socket = net.connect({ port: Number(port), host: hostname, noDelay: true });
  const data = { text, voice: { name: VOICE, language: 'en' } };
  socket.write(`${JSON.stringify({ type: 'synthesize', data })}\n`);
  let received = '';
  for await (const bytes of socket) {
    received += bytes.toString('latin1');
    // The samples follow the line and the data of the first chunk.
    const [, rest = ''] = received.split('"audio-chunk"');
    if (rest.length > 1000) break;
  }
  socket.destroy();
  return performance.now() - start;
}

/** @param {(address: string) => Promise<void>} work receives the address of the Wyoming port */
async function withService(work) {
  const data = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-'));
  const cli = path.join(import.meta.dirname, '..', 'service', 'dist', 'cli', 'cli.js');
  const options = ['--port', '0', '--wyoming', '0', '--data', data, '--json', '--quiet'];
  const child = spawn(process.execPath, [cli, ...options]);
  child.stderr.pipe(process.stderr);
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    await work(JSON.parse(line).wyoming);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(data, { recursive: true });
  }
}
