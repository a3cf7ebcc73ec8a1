/**
 * Compares the time of three minutes' allowance of requests with the shortest time that the rate limit permits: a full
 * allowance at the start, and one per minute after it. The client sends all calls at once over the loopback interface.
 * The log shows how many requests arrived above the limit: less than a minute after the request of a full allowance before.
 * Usage: `node bench/limiter.bench.mjs [REQUESTS_PER_MINUTE]`. It takes two minutes.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import process from 'node:process';
import { log, report } from './support.mjs';

const require = createRequire(import.meta.url);
const { createClient, operations } = require('@herald-speech/client');

const RATE = Number(process.argv[2] ?? 300);
const WINDOW = 60_000;
const MINUTES = 3;

/** Arrival times of the requests in milliseconds. @type {number[]} */
const arrivals = [];
const server = createServer((_request, reply) => {
  arrivals.push(performance.now());
  reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ balance: 1 }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
assert.ok(typeof address === 'object' && address !== null);

const client = createClient({
  url: `http://127.0.0.1:${address.port}`,
  apiKey: 'key-for-the-bench-of-32-letters-',
  requestsPerMinute: RATE,
  attempts: 1,
  totalTimeout: 2 * MINUTES * WINDOW,
});
try {
  const calls = Array.from({ length: MINUTES * RATE }, () => client.call(operations.getCredits, {}));
  await Promise.all(calls);
  const taken = (arrivals.at(-1) ?? Number.NaN) - (arrivals[0] ?? Number.NaN);
  const early = arrivals.filter((at, index) => at - (arrivals[index - RATE] ?? -Infinity) < WINDOW).length;
  log(
    `${MINUTES * RATE} requests at ${RATE} per minute: ${(taken / 1000).toFixed(2)} s, ${early} above the limit`,
  );
  report({
    name: `time of the limiter for ${MINUTES * RATE} requests at ${RATE} per minute`,
    ratio: taken / ((MINUTES - 1) * WINDOW),
    baseline: 'shortest time that the limit permits',
    bound: 1.05,
  });
} finally {
  await client.close();
  server.close();
}
