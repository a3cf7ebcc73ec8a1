import assert from 'node:assert/strict';
import { type ProgramAccess, ProgramPorts } from '../../../nodes/account/program-ports.js';
import { freePort } from '../../support/net/free-port.js';

describe('the ports of a service for other programs', () => {
  const accessOf = (account: string, port: number, reports: string[] = []): ProgramAccess => ({
    account,
    place: { host: '127.0.0.1', port, wyoming: undefined },
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
});
