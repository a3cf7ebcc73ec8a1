import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENT_MS, withRedis } from '../../support/programs/redis.js';
import { allTimes, LIMIT, PERIOD, WINDOW, withProcesses } from './processes.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { busiestWindow } from './support.js';

/** The part of the places that busy computers must use. `node bench/run.mjs fleet` measures the real window. */
const USED = 0.75;
/** The difference from the fair share that busy computers may have. The model of the turns has a test of properties. */
const UNFAIR = 0.3;
/** Milliseconds after which Redis no longer keeps the share of a dead process. */
const FORGOTTEN_MS = 16_000;

const now = () => performance.timeOrigin + performance.now();

describeWith(['redis-server'], 'a fleet of three processes', () => {
  it('never exceeds its limit, uses most of it in fair shares, and gives the part of a killed process to the others', () =>
    withRedis((redis) =>
      withProcesses(redis.url, PATIENT_MS, async (members) => {
        for (const member of members) {
          member.start();
          await sleep(WINDOW / 120);
        }
        await sleep(WINDOW * 3.5);
        const times = allTimes(members).sort((a, b) => a - b);
        const [first = 0] = times;
        // A place is free a window after it was taken: the first window is used at once.
        const windows = Math.floor(((times.at(-1) ?? 0) - first) / WINDOW);
        const counted = times.filter((time) => time < first + windows * WINDOW);
        assert.ok(counted.length >= USED * LIMIT * windows, `${counted.length} in ${windows} windows`);
        const shares = members.map(({ times }) => times.length);
        const fair = shares.reduce((total, share) => total + share, 0) / 3;
        for (const share of shares) assert.ok(Math.abs(share - fair) <= UNFAIR * fair, shares.join());

        const [killed, ...others] = members;
        killed?.process.kill('SIGKILL');
        await sleep(FORGOTTEN_MS);
        const from = now();
        await sleep(WINDOW * 2);
        const used = allTimes(members).filter((time) => time > from).length;
        assert.ok(used >= USED * LIMIT * 2, `${used}`);
        assert.ok(busiestWindow(allTimes(members), PERIOD) <= LIMIT);
        await Promise.all(others.map((member) => member.stop()));
      }),
    ));
});
