import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { type DataLock, lockDataFolder } from '../../../service/kit/data-lock.js';
import { StoreError } from '../../../service/kit/store-error.js';
import { isStoreError, kill, useDataFolder } from '../accounts/store/support.js';

describe('the lock of a data folder', () => {
  const data = useDataFolder();
  const sockets = () => path.join(data.folder(), 'run');
  const lockNow = (folder = data.folder()) => lockDataFolder(folder, { patience: 0 });

  it('rejects a second process with the PID of the first', async () => {
    const { child, lines } = data.start('hold');
    await lines.next();
    await assert.rejects(
      lockNow(),
      isStoreError('locked', new RegExp(`in use by the process ${child.pid}\\b`)),
    );
  });

  it('rejects a second lock in the same process', async () => {
    const lock = await lockNow();
    await assert.rejects(lockNow(), isStoreError('locked', new RegExp(`the process ${process.pid}\\b`)));
    await lock.release();
  });

  it('is free after its process was killed', async () => {
    const { child, lines } = data.start('hold');
    await lines.next();
    await kill(child);
    assert.equal((await readdir(sockets())).length, 1);
    const lock = await lockNow();
    assert.equal((await readdir(sockets())).length, 1);
    await lock.release();
    assert.deepEqual(await readdir(sockets()), []);
  });

  it('stays with a suspended process', async () => {
    const { child, lines } = data.start('hold');
    await lines.next();
    child.kill('SIGSTOP');
    await assert.rejects(lockNow(), isStoreError('locked', new RegExp(`${child.pid}`)));
  });

  it('ignores the file of a dead process, even if its PID is in use again', async () => {
    await mkdir(sockets());
    await writeFile(path.join(sockets(), `${process.pid}-0123456789abcdef.lock`), '');
    await (await lockNow()).release();
  });

  it('accepts a second release, and can be taken again', async () => {
    const lock = await lockNow();
    await lock.release();
    await lock.release();
    await (await lockNow()).release();
  });

  it('waits until another process releases it', async () => {
    const first = await lockNow();
    const second = lockDataFolder(data.folder(), { patience: 10_000 });
    await first.release();
    await (await second).release();
  });

  it('stops waiting when the signal aborts', async () => {
    const first = await lockNow();
    const stop = new AbortController();
    const second = lockDataFolder(data.folder(), { patience: 60_000, signal: stop.signal });
    stop.abort();
    await assert.rejects(second, { name: 'AbortError' });
    await first.release();
  });

  it('has one holder at a time with many contenders', async () => {
    let holders = 0;
    const takeTurn = async () => {
      const lock = await lockDataFolder(data.folder(), { patience: 15_000 });
      assert.equal(++holders, 1);
      await new Promise((resolve) => setImmediate(resolve));
      holders--;
      await lock.release();
    };
    await Promise.all(Array.from({ length: 8 }, takeTurn));
  });

  it('goes to at most one of several simultaneous contenders', async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 6 }, () => lockNow()));
    const locks: DataLock[] = [];
    for (const attempt of attempts) {
      if (attempt.status === 'fulfilled') locks.push(attempt.value);
      else
        assert.ok(
          attempt.reason instanceof StoreError && attempt.reason.kind === 'locked',
          String(attempt.reason),
        );
    }
    assert.ok(locks.length <= 1);
    await Promise.all(locks.map(async (lock) => lock.release()));
  });

  it('works in a folder with a path that is too long for a socket', async () => {
    const deep = path.join(data.folder(), 'a'.repeat(100), 'b'.repeat(100));
    const lock = await lockNow(deep);
    await assert.rejects(lockNow(deep), isStoreError('locked', new RegExp(`${process.pid}`)));
    await lock.release();
    assert.deepEqual(await readdir(path.join(deep, 'run')), []);
  });

  it('is in a folder that only its owner can enter', async () => {
    const lock = await lockNow();
    assert.equal((await stat(sockets())).mode & 0o777, 0o700);
    await lock.release();
  });

  it('rejects a folder below a file, with the path', async () => {
    const file = data.file('a-file');
    await writeFile(file, '');
    await assert.rejects(lockNow(path.join(file, 'data')), isStoreError('failed', /a-file/));
  });

  it('respects the socket of an unknown program', async () => {
    await mkdir(sockets());
    const stranger = net.createServer().listen(path.join(sockets(), '4711-0123456789abcdef.lock'));
    await once(stranger, 'listening');
    await assert.rejects(lockNow(), isStoreError('locked', /4711/));
    stranger.close();
    await once(stranger, 'close');
  });
});
