/**
 * A member of a fleet: `child.ts URL REQUESTS_PER_MINUTE WINDOW_MS COMMAND_MS CALLS`. It prints a line after it has joined, waits for a line
 * of input, and then always has some calls that wait. It prints the time of each place in milliseconds since 1970. It
 * ends with its input.
 */
import { once, setMaxListeners } from 'node:events';
import { writeSync } from 'node:fs';
import process from 'node:process';
import { limiterDefaults } from '../../../client/calls/limiter.js';
import { joinPatiently, soon } from './support.js';

const [url = '', limit = '', windowMs = '', commandMs = '', calls = ''] = process.argv.slice(2);
const report = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);

async function run(): Promise<void> {
  const fleet = joinPatiently({ url }, { windowMs: Number(windowMs), commandMs: Number(commandMs) });
  const limiter = fleet.sharing.limiter({ ...limiterDefaults, requestsPerMinute: Number(limit) });
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  process.stdin.once('end', () => stop.abort());
  await fleet.joined(soon());
  report({ joined: true });
  await once(process.stdin, 'data');
  const call = async () => {
    while (!stop.signal.aborted) {
      await limiter.acquire('general', { signal: stop.signal });
      report({ at: performance.timeOrigin + performance.now() });
    }
  };
  await Promise.allSettled(Array.from({ length: Number(calls) }, call));
  limiter.close();
  await fleet.close();
}

void run();
