import assert from 'node:assert/strict';
import { useLocalService } from '../../../nodes/account/local-service.js';
import { until } from '../../support/flow.js';
import { leavingNothing } from '../../support/leftovers.js';
import { useDataFolder } from '../../support/local-service.js';
import { hasEnded, watchingProcesses, withServicePackage } from '../../support/service-package.js';

const never = new AbortController().signal;
const speaking =
  'console.log(JSON.stringify({ url: "http://127.0.0.1:9", key: "k" })); process.stdin.resume()';
const mute = 'process.stdin.resume()';
const broken = 'process.exit(1)';

describe('a share in the local service', () => {
  const folder = useDataFolder();
  const use = (log: (line: string) => void = () => undefined) => useLocalService(folder(), log);

  it('is of one process for all who hold one, which has ended when the last gave theirs back', () =>
    watchingProcesses((processes) =>
      withServicePackage(speaking, () =>
        leavingNothing(async () => {
          const [one, other] = [use(), use()];
          assert.deepEqual(await one.ready(never), await other.ready(never));
          await one.release();
          await one.release();
          assert.deepEqual(processes.map(hasEnded), [false]);
          await other.release();
          assert.deepEqual(processes.map(hasEnded), [true]);
        }),
      ),
    ));

  it('is of another process after that', () =>
    watchingProcesses((processes) =>
      withServicePackage(speaking, async () => {
        for (let round = 0; round < 2; round += 1) {
          const share = use();
          await share.ready(never);
          await share.release();
        }
        assert.deepEqual(processes.map(hasEnded), [true, true]);
      }),
    ));

  it('waits until the former process has let go of the data folder, when it is taken while that one ends', () =>
    watchingProcesses((processes) =>
      withServicePackage(speaking, async () => {
        const former = use();
        await former.ready(never);
        const released = former.release();
        const share = use();
        await share.ready(never);
        assert.deepEqual(processes.map(hasEnded), [true, false]);
        await Promise.all([released, share.release()]);
      }),
    ));

  it('lets nobody wait whose signal fires', () =>
    withServicePackage(mute, async () => {
      const share = use();
      const stop = new AbortController();
      const waiting = assert.rejects(share.ready(stop.signal), /enough/);
      stop.abort(new Error('enough'));
      await waiting;
      await assert.rejects(share.ready(stop.signal), /enough/);
      await share.release();
    }));

  for (const [name, script] of Object.entries({
    'still starts': mute,
    'pauses after a failed start': broken,
  })) {
    it(`tells who waits that it was stopped, not that it failed, where it ${name}`, () =>
      withServicePackage(script, async () => {
        const log: string[] = [];
        const share = use((line) => log.push(line));
        if (script === broken) await until(() => log.length > 0);
        const waiting = assert.rejects(share.ready(never), { code: 'aborted', route: 'retryable' });
        await share.release();
        await waiting;
        await assert.rejects(share.ready(never), { code: 'aborted' });
      }));
  }
});
