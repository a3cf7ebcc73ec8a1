import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith } from '../../support/programs/describe-with.js';
import { HANG_MS, withRedis } from '../../support/programs/redis.js';
import { allTimes, LIMIT, PERIOD, WINDOW, withProcesses } from './processes.js';
import { busiestWindow } from './support.js';

describeWith(['redis-server'], 'a fleet of three processes whose Redis fails', () => {
  it('never exceeds its limit while Redis hangs, is killed and comes back empty', () =>
    withRedis((redis) =>
      withProcesses(redis.url, HANG_MS, async (members) => {
        for (const member of members) member.start();
        await sleep(WINDOW);
        redis.hang();
        await sleep(HANG_MS + WINDOW);
        redis.resume();
        await sleep(WINDOW * 2);
        await redis.stop();
        await sleep(500);
        await redis.start();
        await sleep(WINDOW * 3);
        const times = allTimes(members);
        assert.ok(times.length > LIMIT, `${times.length}`);
        const busiest = busiestWindow(times, PERIOD);
        assert.ok(busiest <= LIMIT, `${busiest}`);
      }),
    ));
});
