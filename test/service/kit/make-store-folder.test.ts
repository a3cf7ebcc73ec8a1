import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { lockDataFolder } from '../../../service/kit/data-lock.js';
import { makeStoreFolder } from '../../../service/kit/make-store-folder.js';
import { CLI } from '../../support/cli.js';
import { isStoreError, useDataFolder } from '../accounts/store/support.js';
import { spawned } from '../../support/spawned.js';

describe('creating the data folder', () => {
  const data = useDataFolder();
  const modeOf = async (folder: string) => (await stat(folder)).mode & 0o777;

  it('creates missing parents, with access for their owner only', async () => {
    await makeStoreFolder(data.file('a/b/c'));
    for (const created of ['a', 'a/b', 'a/b/c']) assert.equal(await modeOf(data.file(created)), 0o700);
  });

  it('keeps the mode of an existing folder, and accepts simultaneous calls', async () => {
    await mkdir(data.file('open'), { mode: 0o755 });
    await makeStoreFolder(data.file('open'));
    assert.equal(await modeOf(data.file('open')), 0o755);
    await Promise.all([1, 2, 3].map(async () => makeStoreFolder(data.file('x/y/z'))));
    assert.ok((await stat(data.file('x/y/z'))).isDirectory());
  });

  it('rejects a place that accepts no folders, and names it', async () => {
    if (process.platform === 'linux') {
      const words = /^\/proc\/x cannot be created: \/proc accepts no folders\./;
      await assert.rejects(lockDataFolder('/proc/x'), isStoreError('failed', words));
    }
    await writeFile(data.file('file'), '');
    const below = lockDataFolder(data.file('file/below'));
    await assert.rejects(
      below,
      isStoreError('failed', /file\/below: it is not usable: choose another folder \(ENOTDIR/),
    );
    await assert.rejects(lockDataFolder(data.file('file')), isStoreError('failed', /ENOTDIR|EEXIST/));
  });

  it('rejects a link to a missing folder, and names it', async () => {
    await symlink('/nowhere/at/all', data.file('link'));
    for (const folder of ['link', 'link/below']) {
      const locked = lockDataFolder(data.file(folder));
      await assert.rejects(locked, isStoreError('failed', /link is a link to a missing folder/));
    }
  });

  it('ends the program with an error, not in an endless loop, in a place that accepts no folders', async () => {
    const place = process.platform === 'linux' ? '/proc/x' : data.file('file/x');
    await writeFile(data.file('file'), '');
    const args = [CLI, '--port', '0', '--data', place];
    const child = spawned(spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] }));
    let printed = '';
    child.stderr.on('data', (piece) => (printed += String(piece)));
    const [code]: unknown[] = await once(child, 'close');
    assert.equal(code, 1);
    assert.match(printed, /^herald-service: .*\bx\b.*\n$/);
  });
});
