import assert from 'node:assert/strict';
import { socketOf } from '../../../speakers/base/socket-address.js';
import { SpeakerFault } from '../../../speakers/fault.js';
import { kindOf } from '../../../speakers/kinds.js';
import { never } from '../../support/waiting.js';

describe('an address with a host and a port', () => {
  it('may have an IPv6 address, and has the port of its type by default', () => {
    assert.deepEqual(socketOf('player', 6600), { host: 'player', port: 6600 });
    assert.deepEqual(socketOf('player:1', 6600), { host: 'player', port: 1 });
    assert.deepEqual(socketOf('[fe80::1]', 6600), { host: 'fe80::1', port: 6600 });
    assert.deepEqual(socketOf('[fe80::1%eth0]:1', 6600), { host: 'fe80::1%eth0', port: 1 });
  });

  for (const kind of ['cast', 'mpd', 'snapcast'] as const)
    it(`makes a speaker of the type ${kind} unreachable if its port is above 65535, and the error names the address`, () =>
      assert.rejects(
        () => kindOf(kind).connect({ address: '192.0.2.1:65536' }, never),
        (error: unknown) =>
          error instanceof SpeakerFault &&
          error.isUnreachable &&
          error.values.problem === '"192.0.2.1:65536" is not a valid address',
      ));
});
