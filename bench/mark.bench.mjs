/**
 * Measures the processor time of the signature of a mark, as part of the processor time of a message: a sentence that the local service
 * speaks, and a sentence of a hosted service on the loopback interface, which costs this computer only the message. The service and the
 * node both sign. Runs signed and unsigned rounds alternate. Needs /proc. Usage: `node bench/mark.bench.mjs [ROUNDS] [MESSAGES]`.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { withNodeRed } from './node-red.mjs';
import { log, median, report } from './support.mjs';

const require = createRequire(import.meta.url);
const { MarkSigner, newMarkKey, parseWav, verifyAudio } = require('@herald-speech/client');
const { proofFor, wavSound } = require('@herald-speech/client/audio');

const ROUNDS = Number(process.argv[2] ?? 5);
const MESSAGES = Number(process.argv[3] ?? 40);
/** Repetitions of a signature. One takes less than the resolution of the clock. */
const SIGNATURES = 3000;
const BOUND = 0.02;
/** A message whose speech costs this computer nothing. It comes over the loopback interface, without TLS. */
const BOUND_OF_HOSTED = 0.04;
const KEY = 'key-for-the-bench-of-32-letters-';
/** Milliseconds of processor time in a tick of /proc. */
const TICK = 10;

process.env['HERALD_CACHE'] = 'off';
const server = fork(path.join(import.meta.dirname, 'wav-server.mjs'), ['0', '2']);
const url = String((await once(server, 'message'))[0]);

const speech = (/** @type {string} */ id) => ({
  id,
  type: 'herald-text-to-speech',
  account: `${id}-account`,
});
const hosted = { service: 'hosted', url, requestsPerMinute: '1000000', credentials: { apiKey: KEY } };
const account = (/** @type {string} */ id, /** @type {object} */ more) => ({
  id: `${id}-account`,
  type: 'herald-account',
  voice_id: 'slt',
  language: 'en',
  ...more,
});

let texts = 0;
const fresh = (/** @type {boolean} */ mark) =>
  Array.from({ length: MESSAGES }, () => ({ payload: `Dinner is ready in ${(texts += 1)} minutes.`, mark }));

/** @returns {number} Milliseconds of processor time of this process and its children, the service, so far. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + childrenOf(process.pid, server.pid);
}

/**
 * @param {number} parent
 * @param {number | undefined} except
 * @returns {number} Milliseconds of all descendants without one child, such as the hosted service.
 */
function childrenOf(parent, except) {
  let sum = 0;
  for (const name of readdirSync('/proc')) {
    const id = Number(name);
    if (!Number.isInteger(id) || id === except) continue;
    try {
      const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      if (Number(fields[1]) !== parent) continue;
      sum += (Number(fields[11]) + Number(fields[12])) * TICK + childrenOf(id, except);
    } catch {
      // The process has ended.
    }
  }
  return sum;
}

/** @returns {number} Milliseconds of processor time for one signature of the audio of a message. */
function signatureTime(/** @type {Uint8Array} */ file) {
  const { format, data } = parseWav(file);
  const mark = { voice: 'slt', language: 'en', signer: new MarkSigner(newMarkKey()) };
  const times = [];
  for (let round = 0; round < 5; round++) {
    const start = process.cpuUsage();
    for (let count = 0; count < SIGNATURES; count++) proofFor(mark, wavSound(format), [data]);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000 / SIGNATURES);
  }
  return median(times);
}

/**
 * @param {import('./node-red.mjs').Flows} flows
 * @param {string} node
 * @param {number} signatures of one message: of the node, and of the local service
 * @param {number} bound
 */
async function measure({ pass }, node, signatures, bound) {
  /** @type {Record<'marked' | 'unmarked', number[]>} */
  const times = { marked: [], unmarked: [] };
  /** @type {Uint8Array} */
  let audio = new Uint8Array();
  for (let round = -2; round < ROUNDS; round++) {
    for (const variant of /** @type {const} */ (['marked', 'unmarked'])) {
      const start = processorTime();
      const arrived = await pass(node, fresh(variant === 'marked'));
      const taken = (processorTime() - start) / MESSAGES;
      if (round >= 0) times[variant].push(taken);
      const [{ payload } = {}] = arrived;
      assert.ok(Buffer.isBuffer(payload) && payload.length > 3000);
      if (variant === 'marked') audio = payload;
      assert.equal(verifyAudio(payload, []).verdict, variant === 'marked' ? 'foreign' : 'unmarked');
    }
  }
  const [message, unmarked] = [median(times.marked), median(times.unmarked)];
  const signature = signatures * signatureTime(audio);
  log(`${node}: ${message.toFixed(2)} ms a message, ${unmarked.toFixed(2)} ms without a mark of the node`);
  log(`${node}: ${signature.toFixed(3)} ms for ${signatures} signatures of ${audio.length} bytes`);
  report({
    name: `processor time of the signature, ${node} service`,
    ratio: signature / message,
    baseline: 'the message',
    bound,
  });
}

try {
  const nodes = ['local', 'hosted'].map(speech);
  const others = [
    { id: 'tab', type: 'tab' },
    account('local', { service: 'local' }),
    account('hosted', hosted),
  ];
  await withNodeRed(nodes, others, async (flows) => {
    await measure(flows, 'local', 2, BOUND);
    await measure(flows, 'hosted', 1, BOUND_OF_HOSTED);
  });
} finally {
  server.kill();
}
