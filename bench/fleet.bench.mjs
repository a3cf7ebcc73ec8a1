/**
 * Measures programs that share an account over Redis, with Debian's redis-server on a free port.
 *
 * 1. The duration of a call with and without sharing, and the commands that a shared call sends to Redis.
 * 2. The time of three processes for three minutes' allowance of requests, as `limiter.bench.mjs` does for one process. The log shows
 *    the requests above the limit and the used share of the allowance.
 *
 * Usage: `node bench/fleet.bench.mjs [REQUESTS_PER_MINUTE]`. It takes three minutes.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { listen, startRedis } from './redis.mjs';
import { log, median, report } from './support.mjs';

const require = createRequire(import.meta.url);
const { createClient, operations } = require('@herald-speech/client');
const { joinFleet } = require('@herald-speech/fleet');

const RATE = Number(process.argv[2] ?? 60);
const WINDOW = 60_000;
const MINUTES = 3;
const PROCESSES = 3;
/** Calls one after another, with and without sharing. */
const CALLS = 500;

/** Arrival times of the requests in milliseconds. @type {number[]} */
let arrivals = [];
// A balance would be news for the fleet, with a further command.
const server = createServer((_request, reply) => {
  arrivals.push(performance.now());
  reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ balance: null }));
});
const service = `http://127.0.0.1:${await listen(server)}`;
const account = { url: service, apiKey: 'key-for-the-bench-of-32-letters-' };
const { url: redisUrl, cli, stop } = await startRedis();
try {
  await compareCalls();
  await compareProcesses();
} finally {
  stop();
  server.close();
}

/** Compares calls that wait for nothing: the limit is far above their number. */
async function compareCalls() {
  const fleet = joinFleet({ url: redisUrl, account });
  await fleet.joined(AbortSignal.timeout(10_000));
  const options = { ...account, requestsPerMinute: 1_000_000, attempts: 1 };
  const alone = createClient(options);
  const shared = createClient({ ...options, sharing: fleet.sharing });
  try {
    for (const client of [alone, shared]) await durations(client, 50);
    const before = scriptCalls();
    const sharedTimes = await durations(shared, CALLS);
    const commands = (scriptCalls() - before) / CALLS;
    const aloneTimes = await durations(alone, CALLS);
    log(
      `a call: ${median(aloneTimes).toFixed(2)} ms alone, ${median(sharedTimes).toFixed(2)} ms shared; ${commands.toFixed(2)} commands to Redis`,
    );
    report({
      name: 'a call that shares its limit, over the loopback interface',
      ratio: median(sharedTimes) / median(aloneTimes),
      baseline: 'a call without sharing',
      bound: 5,
    });
    report({
      name: 'commands to Redis for a request',
      ratio: commands,
      baseline: 'one command',
      bound: 2,
    });
  } finally {
    await alone.close();
    await shared.close();
    await fleet.close();
  }
}

/**
 * @param {import('@herald-speech/client').Client} client
 * @param {number} count
 */
async function durations(client, count) {
  const times = [];
  for (let call = 0; call < count; call += 1) {
    const start = performance.now();
    await client.call(operations.getCredits, {});
    times.push(performance.now() - start);
  }
  return times;
}

/** Returns the scripts that Redis has run. A member sends no other commands while it is joined. */
function scriptCalls() {
  const stats = cli('info', 'commandstats');
  return [...stats.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)].reduce((sum, [, n]) => sum + Number(n), 0);
}

async function compareProcesses() {
  cli('flushall');
  arrivals = [];
  const script = path.join(import.meta.dirname, 'fleet-member.mjs');
  const args = [redisUrl, service, String(RATE)];
  const members = Array.from({ length: PROCESSES }, () => fork(script, args));
  try {
    await Promise.all(members.map((member) => once(member, 'message')));
    const ends = members.map((member) => once(member, 'exit'));
    for (const member of members) member.send({ calls: (MINUTES * RATE) / PROCESSES });
    for (const [code] of await Promise.all(ends)) assert.equal(code, 0, 'a member failed');
  } finally {
    for (const member of members) member.kill('SIGKILL');
  }
  reportWindow();
}

function reportWindow() {
  const taken = (arrivals.at(-1) ?? Number.NaN) - (arrivals[0] ?? Number.NaN);
  const gaps = arrivals.map((at, index) => at - (arrivals[index - RATE] ?? -Infinity));
  const early = gaps.filter((gap) => gap < WINDOW).length;
  log(`shortest time of ${RATE + 1} requests: ${(Math.min(...gaps) / 1000).toFixed(3)} s`);
  const used = ((MINUTES - 1) * WINDOW) / taken;
  log(
    `${MINUTES * RATE} requests of ${PROCESSES} processes at ${RATE} per minute: ${(taken / 1000).toFixed(2)} s, ${early} above the limit, ${(100 * used).toFixed(1)} % of the allowance used`,
  );
  assert.equal(early, 0);
  report({
    name: `time of ${PROCESSES} processes for ${MINUTES * RATE} requests at ${RATE} per minute`,
    ratio: 1 / used,
    baseline: 'shortest time that the limit permits',
    bound: 1.03,
  });
}
