import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type FolderLock, lockFolder } from '../../../../nodes/prompts/files/lock.js';
import { never } from '../../../support/waiting.js';
import { useFolder } from '../../../support/folder.js';

const HOST = createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8);
const OTHER = '0badcafe';
const TOKEN = '12345678-1234-1234-1234-123456789abc';
const busy = { code: 'busy', route: 'retryable' };

describe('the lock of a folder', () => {
  const folder = useFolder();

  /** Writes the lock of another process. */
  async function lockOf(host: string, pid: number, hostname = 'pbx-2'): Promise<string> {
    const file = path.join(folder(), `.herald-run-${host}-${pid}-${TOKEN}.lock`);
    await writeFile(file, JSON.stringify({ host: hostname, pid }));
    return file;
  }

  const isFree = async () => {
    const lock = await lockFolder(folder(), never);
    await lock.release();
    assert.deepEqual(await readdir(folder()), []);
  };

  it('lets a second run fail with the name of the folder and of the owner until it is released', async () => {
    const lock = await lockFolder(folder(), never);
    const message = `folder ${JSON.stringify(folder())}: another run works in it (process ${process.pid} on ${os.hostname()}): wait for its end, or choose another folder`;
    await assert.rejects(lockFolder(folder(), never), { ...busy, message });
    await lock.release();
    await lock.release();
    await isFree();
  });

  it('belongs to at most one of many runs that start at the same moment', async () => {
    const tries = Array.from({ length: 12 }, () => lockFolder(folder(), new AbortController().signal));
    const results = await Promise.allSettled(tries);
    const held = results.filter((result): result is PromiseFulfilledResult<FolderLock> => 'value' in result);
    assert.ok(held.length <= 1);
    for (const result of results) if ('reason' in result) assert.equal(result.reason.code, 'busy');
    for (const { value } of held) await value.release();
    await isFree();
  });

  it('belongs to a live process of this machine, and ends with it', async () => {
    const file = await lockOf(HOST, process.ppid, os.hostname());
    await assert.rejects(lockFolder(folder(), never), {
      ...busy,
      message: new RegExp(`process ${process.ppid} on `),
    });
    await rm(file);
    const ended = Number(execFileSync('sh', ['-c', 'echo $$']));
    await lockOf(HOST, ended);
    await isFree();
  });

  it('ends with its process in a container, where the next process has the same id', async () => {
    await lockOf(HOST, process.pid);
    await isFree();
  });

  it('of another machine ends if it shows no sign of life for 5 minutes', async () => {
    const file = await lockOf(OTHER, 1);
    await assert.rejects(lockFolder(folder(), never), { ...busy, message: /process 1 on pbx-2/ });
    const before = new Date(Date.now() - 310_000);
    await utimes(file, before, before);
    await isFree();
  });

  it('of a dead machine delays a run that waits for it', async () => {
    const file = await lockOf(OTHER, 1);
    const waiting = lockFolder(folder(), never, 60_000);
    const before = new Date(Date.now() - 310_000);
    await utimes(file, before, before);
    await (await waiting).release();
    assert.deepEqual(await readdir(folder()), []);
  });

  it('is lost if another run has removed it', async () => {
    const lock = await lockFolder(folder(), never);
    await lock.check();
    for (const name of await readdir(folder())) await rm(path.join(folder(), name));
    await assert.rejects(lock.check(), busy);
    await lock.release();
  });

  it('names a folder that was removed during the run', async () => {
    const inner = path.join(folder(), 'inner');
    const lock = await lockFolder(inner, never);
    await rm(inner, { recursive: true });
    const message = `folder ${JSON.stringify(inner)}: it was removed or renamed during the run: restore it, then send these rows again`;
    await assert.rejects(lock.check(), { code: 'bad-request', message });
    await lock.release();
  });

  it('names the process of a damaged lock', async () => {
    await writeFile(await lockOf(OTHER, 77), '{');
    await assert.rejects(lockFolder(folder(), never), { ...busy, message: /process 77 on \?/ });
  });

  it('leaves other files alone', async () => {
    const names = ['.herald-run-x.lock', `.herald-run-${HOST}-1.lock`, 'menu.lock'];
    for (const name of names) await writeFile(path.join(folder(), name), '');
    await (await lockFolder(folder(), never)).release();
    assert.deepEqual((await readdir(folder())).sort(), names.sort());
  });

  it('creates the folder, and rejects a file or a folder without write permission', async () => {
    const inner = path.join(folder(), 'one/two');
    await (await lockFolder(inner, never)).release();
    assert.deepEqual(await readdir(inner), []);
    await writeFile(path.join(folder(), 'note'), '');
    for (const place of [path.join(folder(), 'note'), path.join(folder(), 'note/inner'), '/proc/prompts'])
      await assert.rejects(lockFolder(place, never), { code: 'bad-request', message: /folder|file/ });
  });

  it('is not taken by a run that was stopped', async () => {
    await mkdir(path.join(folder(), 'inner'));
    const stopped = new Error('stopped');
    await assert.rejects(lockFolder(folder(), AbortSignal.abort(stopped)), stopped);
    assert.deepEqual(await readdir(folder()), ['inner']);
  });
});
