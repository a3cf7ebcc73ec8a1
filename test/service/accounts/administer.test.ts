import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { administer } from '../../../service/accounts/administer.js';
import { lockDataFolder } from '../../../service/kit/data-lock.js';
import { kill, useDataFolder } from './store/support.js';

describe('administration of a data folder', function () {
  const data = useDataFolder();
  const run = (command: object) => administer(data.folder(), command);
  const names = async () => {
    const reply = await run({ command: 'accounts list' });
    assert.ok('result' in reply);
    return [...JSON.stringify(reply.result).matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name);
  };

  it('works in a folder without a service, and releases the lock', async () => {
    await run({ command: 'accounts create', name: 'first' });
    assert.deepEqual(await names(), ['first']);
    assert.equal(existsSync(data.file('herald.sqlite.lock')), false);
    await (await lockDataFolder(data.folder(), { patience: 0 })).release();
  });

  it('works with a running service, and after that service was killed', async () => {
    const { child, lines } = data.start('serve');
    await lines.next();
    await run({ command: 'accounts create', name: 'while it ran' });
    await kill(child);
    await run({ command: 'accounts create', name: 'later' });
    assert.deepEqual(await names(), ['later', 'while it ran']);
  });

  it('waits for a service that is starting', async () => {
    const { lines } = data.start('serve');
    await Promise.all([lines.next(), run({ command: 'accounts create', name: 'meanwhile' })]);
    assert.deepEqual(await names(), ['meanwhile']);
  });

  it('runs simultaneous commands one after the other', async () => {
    const wanted = ['a', 'b', 'c', 'd'];
    await Promise.all(wanted.map(async (name) => run({ command: 'accounts create', name })));
    assert.deepEqual(await names(), wanted);
  });

  it('returns the same refusal with and without a running service', async () => {
    const alone = await run({ command: 'tier set', account: 'x', tier: 'gold' });
    const { lines } = data.start('serve');
    await lines.next();
    assert.deepEqual(await run({ command: 'tier set', account: 'x', tier: 'gold' }), alone);
    assert.ok('error' in alone && alone.error.kind === 'invalid');
  });

  it('reports the PID of a process that locks the folder and accepts no commands', async () => {
    const { child, lines } = data.start('hold');
    await lines.next();
    const locked = { name: 'StoreError', kind: 'locked', message: new RegExp(`process ${child.pid}`) };
    await assert.rejects(run({ command: 'accounts list' }), locked);
  });
});
