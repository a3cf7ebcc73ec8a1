import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { launch } from '../../../nodes/account/service-process.js';
import { leavingNothing } from '../../support/leftovers.js';
import { hasEnded, watchingProcesses, withServicePackage } from '../../support/service/service-package.js';

describe('launch', () => {
  it('ends the process and rejects the connection if the service prints no address in time', () =>
    watchingProcesses((processes) =>
      withServicePackage('process.stdin.resume()', () =>
        leavingNothing(async () => {
          const { connection, ended } = await launch(
            'nowhere',
            new AbortController().signal,
            () => undefined,
            { startTimeout: 20 },
          );
          await assert.rejects(connection, {
            code: 'no-connection',
            route: 'retryable',
            message: /did not start/,
          });
          assert.match(await ended, /SIGTERM/);
          assert.ok(processes.every(hasEnded));
        }),
      ),
    ));

  it('hands the environment to the service, so that its variables change the settings', async () => {
    const data = await mkdtemp(path.join(os.tmpdir(), 'herald-launch-'));
    const stop = new AbortController();
    process.env['HERALD_METRICS'] = 'on';
    try {
      const { connection, ended } = await launch(data, stop.signal, () => undefined);
      const { url } = await connection;
      assert.equal((await fetch(`${url}/metrics`)).status, 200);
      stop.abort();
      await ended;
    } finally {
      delete process.env['HERALD_METRICS'];
      stop.abort();
      await rm(data, { recursive: true });
    }
  });

  it('ends the process and rejects the connection if the signal has already fired', () =>
    withServicePackage('process.stdin.resume()', () =>
      leavingNothing(async () => {
        const { connection, ended } = await launch('nowhere', AbortSignal.abort(), () => undefined);
        await assert.rejects(connection, { code: 'no-connection' });
        assert.match(await ended, /SIGTERM/);
      }),
    ));
});
