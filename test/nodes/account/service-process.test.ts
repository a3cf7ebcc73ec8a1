import assert from 'node:assert/strict';
import { launch } from '../../../nodes/account/service-process.js';
import { leavingNothing } from '../../support/leftovers.js';
import { hasEnded, watchingProcesses, withServicePackage } from '../../support/service-package.js';

describe('the process of the local service', () => {
  it('is given up, and ended, when it does not say in time where it serves', () =>
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

  it('ends at once where it is stopped before it is there', () =>
    withServicePackage('process.stdin.resume()', () =>
      leavingNothing(async () => {
        const { connection, ended } = await launch('nowhere', AbortSignal.abort(), () => undefined);
        await assert.rejects(connection, { code: 'no-connection' });
        assert.match(await ended, /SIGTERM/);
      }),
    ));
});
