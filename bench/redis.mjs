/** Runs Debian's redis-server on a free port for a bench. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @typedef {object} RedisServer
 * @property {string} url
 * @property {(...args: string[]) => string} cli runs redis-cli, and returns its output
 * @property {() => void} stop
 */

/** @returns {Promise<RedisServer>} a server that accepts connections */
export async function startRedis() {
  const port = String(await freePort());
  const args = ['--port', port, '--save', '', '--bind', '127.0.0.1'];
  const redis = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  redis.stdout.resume();
  const stop = () => void redis.kill('SIGKILL');
  const cli = (/** @type {string[]} */ ...command) =>
    execFileSync('redis-cli', ['-p', port, ...command], { encoding: 'utf8', stdio: 'pipe' });
  for (let attempt = 0; attempt < 200; attempt += 1) {
    try {
      if (cli('ping').startsWith('PONG')) return { url: `redis://127.0.0.1:${port}`, cli, stop };
    } catch {
      // The server starts.
    }
    await sleep(50);
  }
  stop();
  throw new Error('redis-server did not start');
}

/**
 * @param {import('node:http').Server} starting
 * @returns {Promise<number>} the port
 */
export async function listen(starting) {
  starting.listen(0, '127.0.0.1');
  await once(starting, 'listening');
  const address = starting.address();
  assert.ok(typeof address === 'object' && address !== null);
  return address.port;
}

async function freePort() {
  const probe = createServer();
  const found = await listen(probe);
  probe.close();
  await once(probe, 'close');
  return found;
}
