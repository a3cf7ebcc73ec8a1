import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { withRedis } from '../../support/programs/redis.js';
import { type MemberProcess, startMember } from './processes.js';
import { busiestWindow } from './support.js';

const LIMIT = 30;
const PERIOD = 1200;
/** The margin of the window is as long as in the real fleet: a busy computer delays a place on its way to the process. */
const WINDOW = PERIOD + 850;
/** The part of the places that busy computers must use. `node bench/run.mjs fleet` measures the real window. */
const USED = 0.75;
/** The difference from the fair share that busy computers may have. The model of the turns has a test of properties. */
const UNFAIR = 0.3;

/** Starts members, runs `work` with them and stops those that still run. */
async function withProcesses(
  url: string,
  count: number,
  work: (members: readonly MemberProcess[]) => Promise<void>,
): Promise<void> {
  const settings = { limit: LIMIT, windowMs: WINDOW, calls: 40 };
  const members = await Promise.all(Array.from({ length: count }, () => startMember(url, settings)));
  try {
    await work(members);
  } finally {
    for (const { process } of members) process.kill('SIGKILL');
  }
}

const allTimes = (members: readonly MemberProcess[]) => members.flatMap(({ times }) => times);

describe('a fleet of three processes', function () {
  this.timeout(120_000);

  it('never exceeds its limit in any window, uses most of it, and gives each process about its fair share', () =>
    withRedis((redis) =>
      withProcesses(redis.url, 3, async (members) => {
        for (const member of members) {
          member.start();
          await sleep(WINDOW / 120);
        }
        await sleep(WINDOW * 6);
        const times = allTimes(members).sort((a, b) => a - b);
        assert.ok(busiestWindow(times, PERIOD) <= LIMIT);
        const [first = 0] = times;
        // A place is free a window after it was taken: the first window is used at once.
        const windows = Math.floor(((times.at(-1) ?? 0) - first) / WINDOW);
        const counted = times.filter((time) => time < first + windows * WINDOW);
        assert.ok(counted.length >= USED * LIMIT * windows, `${counted.length} in ${windows} windows`);
        const shares = members.map(({ times }) => times.length);
        const fair = shares.reduce((total, share) => total + share, 0) / 3;
        for (const share of shares) assert.ok(Math.abs(share - fair) <= UNFAIR * fair, shares.join());
        await Promise.all(members.map((member) => member.stop()));
      }),
    ));

  it('gives the part of a killed process to the others', () =>
    withRedis((redis) =>
      withProcesses(redis.url, 3, async (members) => {
        for (const member of members) member.start();
        await sleep(WINDOW * 2);
        members[0]?.process.kill('SIGKILL');
        // The dead process counts as waiting for a short time.
        await sleep(WINDOW * 2);
        const from = performance.timeOrigin + performance.now();
        await sleep(WINDOW * 3);
        const used = allTimes(members).filter((time) => time > from).length;
        assert.ok(used >= USED * LIMIT * 3, `${used}`);
        assert.ok(busiestWindow(allTimes(members), PERIOD) <= LIMIT);
      }),
    ));

  it('never exceeds its limit while Redis hangs, is killed and comes back empty', () =>
    withRedis((redis) =>
      withProcesses(redis.url, 3, async (members) => {
        await sleep(1500);
        for (const member of members) member.start();
        await sleep(WINDOW * 2);
        redis.hang();
        await sleep(WINDOW);
        redis.resume();
        await sleep(WINDOW * 2);
        await redis.stop();
        await sleep(500);
        await redis.start();
        await sleep(WINDOW * 2);
        const busiest = busiestWindow(allTimes(members), PERIOD);
        assert.ok(busiest <= LIMIT, `${busiest}`);
      }),
    ));
});
