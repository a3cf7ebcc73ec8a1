import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lockDataFolder } from '../../../service/store/data-lock.js';
import { makeFolder } from '../../../service/store/make-folder.js';
import { isStoreError, useDataFolder } from './support.js';

describe('making the data folder', () => {
  const data = useDataFolder();
  const modeOf = async (folder: string) => (await stat(folder)).mode & 0o777;

  it('makes those above it too, for their owner alone', async () => {
    await makeFolder(data.file('a/b/c'));
    for (const made of ['a', 'a/b', 'a/b/c']) assert.equal(await modeOf(data.file(made)), 0o700);
  });

  it('leaves one that is there as it is, even where two make it at once', async () => {
    await mkdir(data.file('open'), { mode: 0o755 });
    await makeFolder(data.file('open'));
    assert.equal(await modeOf(data.file('open')), 0o755);
    await Promise.all([1, 2, 3].map(async () => makeFolder(data.file('x/y/z'))));
    assert.ok((await stat(data.file('x/y/z'))).isDirectory());
  });

  it('where no folder can be says so', async () => {
    if (process.platform === 'linux') {
      const words = /^\/proc\/x can not be made: \/proc is no place for folders$/;
      await assert.rejects(lockDataFolder('/proc/x'), isStoreError('failed', words));
    }
    await writeFile(data.file('file'), '');
    const below = lockDataFolder(data.file('file/below'));
    await assert.rejects(below, isStoreError('failed', /file\/below: it can not be used \(ENOTDIR/));
    await assert.rejects(lockDataFolder(data.file('file')), isStoreError('failed', /ENOTDIR|EEXIST/));
  });

  it('behind a link to a disk that is not there says so', async () => {
    await symlink('/nowhere/at/all', data.file('link'));
    for (const folder of ['link', 'link/below']) {
      const locked = lockDataFolder(data.file(folder));
      await assert.rejects(locked, isStoreError('failed', /link is a link to what is not there/));
    }
  });

  it('in a place for no folders ends the program with an error, not in an endless loop', async () => {
    const place = process.platform === 'linux' ? '/proc/x' : data.file('file/x');
    await writeFile(data.file('file'), '');
    const cli = path.join(__dirname, '../../../service/cli/cli.ts');
    const args = ['--import=tsx', cli, '--port', '0', '--data', place];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let told = '';
    child.stderr.on('data', (piece) => (told += String(piece)));
    const [code]: unknown[] = await once(child, 'close');
    assert.equal(code, 1);
    assert.match(told, /^herald-service: .*\bx\b.*\n$/);
  });
});
