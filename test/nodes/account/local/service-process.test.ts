import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { launch } from '../../../../nodes/account/local/service-process.js';
import { leavingNothing } from '../../../support/leftovers.js';
import { hasEnded, watchingProcesses, withServicePackage } from '../../../support/service/service-package.js';

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

  it('kills a service that ignores SIGTERM', () =>
    watchingProcesses(async (processes) => {
      const deaf = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.error("up")';
      await withServicePackage(deaf, () =>
        leavingNothing(async () => {
          const stop = new AbortController();
          const { connection, ended } = await launch('nowhere', stop.signal, () => undefined, {
            stopTimeout: 100,
          });
          const [process] = processes;
          if (process?.stderr) await once(process.stderr, 'data');
          stop.abort();
          await assert.rejects(connection, { code: 'no-connection' });
          assert.match(await ended, /SIGKILL/);
        }),
      );
    }));

  it('ends the process and rejects the connection if the signal has already fired', () =>
    withServicePackage('process.stdin.resume()', () =>
      leavingNothing(async () => {
        const { connection, ended } = await launch('nowhere', AbortSignal.abort(), () => undefined);
        await assert.rejects(connection, { code: 'no-connection' });
        assert.match(await ended, /SIGTERM/);
      }),
    ));
});
