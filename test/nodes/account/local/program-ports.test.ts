import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import {
  problemsOf,
  type ProgramAccess,
  ProgramPorts,
} from '../../../../nodes/account/local/program-ports.js';
import { freePort } from '../../../support/net/free-port.js';

describe('the ports of a service for other programs', () => {
  const accessOf = (account: string, port: number, reports: string[] = []): ProgramAccess => ({
    account,
    place: { host: '127.0.0.1', port, wyoming: undefined, voices: [] },
    report: ({ programsPort }) => reports.push(programsPort === undefined ? '' : account),
  });

  it('are the ones of the account with the first id in any order of arrival', async () => {
    const accesses = [accessOf('a', await freePort()), accessOf('b', await freePort())];
    for (const order of [accesses, accesses.toReversed()]) {
      const ports = new ProgramPorts(() => assert.fail('restarted'));
      for (const access of order) ports.add(access);
      assert.equal((await ports.forStart()).port, String(accesses[0]?.place.port));
      ports.stop();
    }
  });

  it('warn of no account that closes during the check of its ports', async () => {
    const reports: string[] = [];
    const port = await freePort();
    const taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
    const ports = new ProgramPorts(() => assert.fail('restarted'));
    const access = accessOf('a', port, reports);
    ports.add(access);
    const started = ports.forStart();
    ports.remove(access);
    assert.deepEqual(await started, { port: undefined, flags: [] });
    ports.stop();
    taken.close();
    assert.deepEqual(reports, []);
  });

  it('restart no service that stops during the check of its ports', async () => {
    let restarts = 0;
    const ports = new ProgramPorts(() => (restarts += 1));
    const access = accessOf('a', await freePort());
    const { place } = access;
    await new Promise<void>((resolve) => {
      const stopping = () => {
        ports.stop();
        resolve();
        return place;
      };
      // The check of the ports reads the place.
      ports.add(Object.defineProperty({ ...access }, 'place', { get: stopping }));
    });
    // A check of the same port that starts later also ends later.
    await problemsOf(place, []);
    assert.equal(restarts, 0);
  });
});
