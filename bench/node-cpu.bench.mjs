/**
 * Compares the processor time of a message through text to speech with the core node `http request`, which sends the same
 * request to the same service on the loopback interface: without the cache, with new texts, and with a text in the cache. The
 * nodes run in one Node-RED, and the service in another process. The rounds of all variants alternate.
 * Usage: `node bench/node-cpu.bench.mjs [ROUNDS] [MESSAGES]`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { withNodeRed } from './node-red.mjs';
import { accountNode, audioOf, requestNode, speechNode } from './speech-flow.mjs';
import { log, median, processorTimes, report } from './support.mjs';

const ROUNDS = Number(process.argv[2] ?? 15);
const MESSAGES = Number(process.argv[3] ?? 300);

const cache = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-cache-'));
process.env['HERALD_CACHE'] = cache;
const server = fork(path.join(import.meta.dirname, 'wav-server.mjs'));
const [url] = await once(server, 'message');

let texts = 0;
const fresh = () => ({ payload: `Message ${(texts += 1)}.` });
const body = () => ({ payload: { text: fresh().payload, language: 'en' } });
const listOf = (/** @type {() => import('./node-red.mjs').Message} */ create) =>
  Array.from({ length: MESSAGES }, create);

/** @param {import('./node-red.mjs').Flows} flows */
async function run({ pass }) {
  const through = (
    /** @type {string} */ node,
    /** @type {() => import('./node-red.mjs').Message} */ create,
  ) => {
    return async () => (await pass(node, listOf(create))).forEach(audioOf);
  };
  const times = await processorTimes(
    {
      'http request': through('request', body),
      'without the cache': through('off', fresh),
      'with a new text': through('on', fresh),
      'with a text in the cache': through('on', () => ({ payload: 'Dinner is ready.' })),
    },
    ROUNDS,
    MESSAGES,
  );
  const { 'http request': core, ...speech } = times;
  log(`http request: ${median(core).toFixed(0)} µs a message`);
  const bounds = { 'without the cache': 1.2, 'with a new text': 1.6, 'with a text in the cache': 0.8 };
  for (const [name, bound] of Object.entries(bounds)) {
    const each = speech[/** @type {keyof typeof bounds} */ (name)];
    log(`${name}: ${median(each).toFixed(0)} µs a message`);
    report({
      name: `processor time of a message ${name}`,
      ratio: median(each.map((time, round) => time / (core[round] ?? Number.NaN))),
      baseline: 'http request',
      bound,
    });
  }
}

try {
  const nodes = [
    speechNode('off', 'account'),
    speechNode('on', 'account', true),
    requestNode('request', url),
  ];
  await withNodeRed(nodes, [{ id: 'tab', type: 'tab' }, accountNode('account', url)], run);
} finally {
  server.kill();
  rmSync(cache, { recursive: true, force: true });
}
