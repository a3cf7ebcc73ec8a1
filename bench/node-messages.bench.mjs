/**
 * Compares text to speech with core nodes of Node-RED, in one Node-RED and with one service on the loopback interface:
 * - sequential messages and messages at once at 100 ms a request against the core node `http request` and the bound of the
 *   concurrency
 * - cached announcements against a core flow that reads the same audio from a file, and against `http request` to a service
 *   that replies at once with the same audio
 * The rounds of all variants alternate. Usage: `node bench/node-messages.bench.mjs [ROUNDS]`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { withNodeRed } from './node-red.mjs';
import { accountNode, audioOf, CONCURRENCY, requestNode, speechNode } from './speech-flow.mjs';
import { log, median, report } from './support.mjs';

const ROUNDS = Number(process.argv[2] ?? 3);
const MESSAGES = 60;
const CACHED = 300;
const LATENCY = 100;

const cache = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-cache-'));
process.env['HERALD_CACHE'] = cache;
const servers = [LATENCY, 0].map((latency) =>
  fork(path.join(import.meta.dirname, 'wav-server.mjs'), [String(latency)]),
);
const [slow, fast] = await Promise.all(
  servers.map(async (server) => String((await once(server, 'message'))[0])),
);

const file = {
  id: 'file',
  type: 'file in',
  filename: 'payload',
  filenameType: 'msg',
  format: '',
  allProps: false,
};

const nodes = [
  speechNode('speech', 'slow'),
  requestNode('request', slow),
  speechNode('cached', 'fast', true),
  requestNode('quick', fast),
  file,
];
/**
 * @param {import('./node-red.mjs').Flows} flows
 * @param {string} folder
 */
async function run({ pass }, folder) {
  /** Milliseconds for messages through a node. */
  const time = async (/** @type {string} */ node, /** @type {Message[]} */ messages, atOnce = false) => {
    const start = performance.now();
    const arrived = await pass(node, messages, atOnce);
    const end = performance.now();
    arrived.forEach(audioOf);
    return end - start;
  };
  await latencies(time);
  await cachedAnnouncements(time, folder);
}

/** @typedef {import('./node-red.mjs').Message} Message */

let texts = 0;
/** @returns {Message[]} messages whose texts no earlier message had */
const fresh = (/** @type {number} */ count) =>
  Array.from({ length: count }, () => ({ payload: `Message ${(texts += 1)}.` }));
const bodies = (/** @type {number} */ count) =>
  fresh(count).map((message) => ({ ...message, payload: { text: 'Message.', language: 'en' } }));

/** @typedef {(node: string, messages: Message[], atOnce?: boolean) => Promise<number>} Time */

/** @param {Time} time */
async function latencies(time) {
  await time('speech', fresh(4));
  await time('request', bodies(4));
  /** @type {[one: number, core: number, atOnce: number][]} */
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push([
      await time('speech', fresh(MESSAGES)),
      await time('request', bodies(MESSAGES)),
      await time('speech', fresh(MESSAGES), true),
    ]);
  }
  const bound = (MESSAGES / CONCURRENCY) * LATENCY;
  const [one, core, atOnce] = [0, 1, 2].map((index) =>
    median(rounds.map((round) => round[index] ?? Number.NaN)),
  );
  log(
    `${MESSAGES} messages one after another: ${one?.toFixed(0)} ms, http request ${core?.toFixed(0)} ms; at once: ${atOnce?.toFixed(0)} ms`,
  );
  report({
    name: `${MESSAGES} sequential messages at ${LATENCY} ms a request`,
    ratio: median(rounds.map(([speech, core]) => speech / core)),
    baseline: 'http request',
    bound: 1.15,
  });
  report({
    name: `${MESSAGES} messages at once, ${CONCURRENCY} at a time, at ${LATENCY} ms a request`,
    ratio: median(rounds.map(([, , atOnce]) => atOnce / bound)),
    baseline: 'messages / concurrency x latency',
    bound: 1.1,
  });
}

/**
 * @param {Time} time
 * @param {string} folder
 */
async function cachedAnnouncements(time, folder) {
  const audio = path.join(folder, 'announcement.wav');
  const reply = await fetch(`${fast}/v1/text-to-speech/rms`, { method: 'POST', body: '{}' });
  writeFileSync(audio, Buffer.from(await reply.arrayBuffer()));
  const variants = {
    cached: Array.from({ length: CACHED }, () => ({ payload: 'Dinner is ready.' })),
    file: Array.from({ length: CACHED }, () => ({ payload: audio })),
    quick: bodies(CACHED),
  };
  /** @type {Record<string, number[]>} */
  const times = {};
  for (let round = -2; round < 3 * ROUNDS; round++) {
    for (const [node, messages] of Object.entries(variants)) {
      const taken = await time(node, messages);
      if (round >= 0) (times[node] ??= []).push(taken / CACHED);
    }
  }
  const { cached = [], file = [], quick = [] } = times;
  for (const [name, each] of Object.entries(times)) log(`${name}: ${median(each).toFixed(2)} ms a message`);
  const perSecond = 1000 / median(cached);
  log(`cached announcements per second: ${perSecond.toFixed(0)}`);
  const ratioTo = (/** @type {number[]} */ others) =>
    median(cached.map((each, round) => each / (others[round] ?? Number.NaN)));
  report({
    name: 'a cached announcement',
    ratio: ratioTo(quick),
    baseline: 'http request to a loopback service',
    bound: 0.5,
  });
  report({
    name: 'a cached announcement',
    ratio: ratioTo(file),
    baseline: 'file in with the same audio',
    bound: 10,
  });
}

try {
  await withNodeRed(
    nodes,
    [{ id: 'tab', type: 'tab' }, accountNode('slow', slow), accountNode('fast', fast)],
    run,
  );
} finally {
  for (const server of servers) server.kill();
  rmSync(cache, { recursive: true, force: true });
}
