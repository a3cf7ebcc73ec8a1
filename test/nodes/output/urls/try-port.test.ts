import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { portError } from '../../../../nodes/output/urls/try-port.js';
import { freePort } from '../../../support/net/free-port.js';

describe('the check of a port', () => {
  it('returns the error of a port in use, and of an invalid number', async () => {
    const port = await freePort();
    const taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
    assert.match((await portError({ host: '127.0.0.1', port }))?.message ?? '', /EADDRINUSE/);
    taken.close();
    assert.match((await portError({ host: '127.0.0.1', port: 80.5 }))?.message ?? '', /80\.5/);
  });

  it('leaves a free port free, also after a connection in this moment', async () => {
    const port = await freePort();
    const checking = portError({ host: '', port });
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    assert.equal(await checking, undefined);
    await closed;
    const next = createServer().listen(port);
    await once(next, 'listening');
    next.close();
  });

  it('finds a free port free, however many checks of it run at once', async () => {
    const place = { host: '', port: await freePort() };
    const errors = await Promise.all(Array.from({ length: 50 }, () => portError(place)));
    assert.deepEqual(new Set(errors), new Set([undefined]));
  });
});
