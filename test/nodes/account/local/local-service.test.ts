import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { useLocalService } from '../../../../nodes/account/local/local-service.js';
import { leavingNothing } from '../../../support/leftovers.js';
import { useDataFolder } from '../../../support/service/local-service.js';
import { hasEnded, watchingProcesses, withServicePackage } from '../../../support/service/service-package.js';
import { never, until } from '../../../support/waiting.js';

const serving =
  'console.log(JSON.stringify({ url: "http://127.0.0.1:9", key: "k" })); process.stdin.resume()';
const listening = `
  const port = Number(process.argv[process.argv.indexOf('--port') + 1]);
  const server = require('node:http').createServer().listen(port, '127.0.0.1', () =>
    console.log(JSON.stringify({ url: 'http://127.0.0.1:' + server.address().port, key: 'k' })));
  process.stdin.resume()`;
const mute = 'process.stdin.resume()';
const broken = 'process.exit(1)';

describe('useLocalService', () => {
  const folder = useDataFolder();
  const use = (log: (line: string) => void = () => undefined) => useLocalService(folder(), log);

  it('shares one process, which ends with the release of the last user', () =>
    watchingProcesses((processes) =>
      withServicePackage(serving, () =>
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

  it('starts a new process after the last release', () =>
    watchingProcesses((processes) =>
      withServicePackage(serving, async () => {
        for (let round = 0; round < 2; round += 1) {
          const share = use();
          await share.ready(never);
          await share.release();
        }
        assert.deepEqual(processes.map(hasEnded), [true, true]);
      }),
    ));

  it('starts a new process after the previous process for the same data folder has ended', () =>
    watchingProcesses((processes) =>
      withServicePackage(serving, async () => {
        const former = use();
        await former.ready(never);
        const released = former.release();
        const share = use();
        await share.ready(never);
        assert.deepEqual(processes.map(hasEnded), [true, false]);
        await Promise.all([released, share.release()]);
      }),
    ));

  it('keeps its port after a deploy, unless another program has taken it', () =>
    withServicePackage(listening, async () => {
      const portOf = async () => {
        const share = use();
        const { url } = await share.ready(never);
        await share.release();
        return Number(new URL(url).port);
      };
      const port = await portOf();
      assert.equal(await portOf(), port);
      const other = createServer().listen(port, '127.0.0.1');
      await once(other, 'listening');
      assert.notEqual(await portOf(), port);
      other.close();
    }));

  it('logs a crash as a warning, and a crash loop as errors with the cause', () =>
    withServicePackage('console.error("the disk is on fire"); process.exit(1)', async () => {
      const log: [level: string, line: string][] = [];
      const share = useLocalService(folder(), (line, level) => log.push([level, line]));
      await until(() => log.length > 2);
      await share.release();
      assert.deepEqual(
        log.map(([level]) => level),
        ['warn', 'error', 'error'],
      );
      assert.match(log[2]?.[1] ?? '', /ended 3 times in a row \(exit code 1: the disk is on fire\)/);
    }));

  it('rejects `ready` with the reason of the signal', () =>
    withServicePackage(mute, async () => {
      const share = use();
      const stop = new AbortController();
      const waiting = assert.rejects(share.ready(stop.signal), /stopped by the test/);
      stop.abort(new Error('stopped by the test'));
      await waiting;
      await assert.rejects(share.ready(stop.signal), /stopped by the test/);
      await share.release();
    }));

  /** Counts its starts in the data folder. Ends the second start with an error, and otherwise serves with the number as key. */
  const failsOnce = `
    const file = process.argv[process.argv.indexOf('--data') + 1] + '/starts';
    const fs = require('node:fs');
    fs.appendFileSync(file, 'x');
    const { length } = fs.readFileSync(file, 'utf8');
    if (length === 2) process.exit(1);
    console.log(JSON.stringify({ url: 'http://127.0.0.1:9', key: String(length) }));
    process.stdin.resume();`;

  it('waits through a failed restart, and never returns the connection of an ended process', () =>
    watchingProcesses((processes) =>
      withServicePackage(failsOnce, () =>
        leavingNothing(async () => {
          const share = use();
          assert.equal((await share.ready(never)).key, '1');
          const [first] = processes;
          assert.ok(first !== undefined);
          const afterwards = once(first, 'exit').then(() => share.ready(never));
          first.kill('SIGKILL');
          assert.equal((await afterwards).key, '3');
          await share.release();
        }),
      ),
    ));

  for (const [name, script] of Object.entries({
    'the start of the service': mute,
    'the pause after a failed start': broken,
  })) {
    it(`rejects \`ready\` with aborted if it is released during ${name}`, () =>
      withServicePackage(script, async () => {
        const log: string[] = [];
        const share = use((line) => log.push(line));
        if (script === broken) await until(() => log.length > 0);
        const waiting = assert.rejects(share.ready(never), { code: 'aborted', route: 'stopped' });
        await share.release();
        await waiting;
        await assert.rejects(share.ready(never), { code: 'aborted' });
      }));
  }
});
