import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs, { readdirSync, readFileSync } from 'node:fs';
import { mkdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { mock } from 'node:test';
import { readOrCreate } from '../../../client/base/private-files.js';
import { useFolder } from '../../support/folder.js';
import { loadTypescript } from '../../support/run-typescript.js';
import { fromProgram, spawned } from '../../support/spawned.js';

const MODULE = JSON.stringify(path.join(__dirname, '../../../client/base/private-files.ts'));
const noLinks = (): never => {
  throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
};

describe('a small file that several processes create at the same time', () => {
  const folder = useFolder();
  const file = () => folder('key');
  afterEach(() => mock.restoreAll());

  /** Creates the file in another process, after both have found none. Returns its output. */
  async function create(content: string, links: boolean): Promise<string> {
    const patch = links ? '' : `require('node:fs').linkSync = ${String(noLinks)};`;
    const work = `require(${MODULE}).readOrCreate(process.argv[1], () => process.argv[2])`;
    const program = spawned(
      spawn(process.execPath, [
        ...loadTypescript,
        '-e',
        `${patch} process.stdout.write(${work})`,
        file(),
        content,
      ]),
    );
    return fromProgram(program, text(program.stdout));
  }

  for (const [kind, links] of [
    ['with', true],
    ['without', false],
  ] as const)
    it(`has one content for all of them on a file system ${kind} hard links, and no other file remains`, async () => {
      const found = await Promise.all(['a', 'b', 'c', 'd'].map((content) => create(content, links)));
      assert.deepEqual(new Set(found), new Set([readFileSync(file(), 'utf8')]));
      assert.match(found.join(''), /^([abcd])\1{3}$/);
      assert.deepEqual(readdirSync(folder()), ['key']);
    });

  it('keeps the content of the first one without hard links, also if another one is about to name its file', () => {
    mock.method(fs, 'linkSync', () => {
      mock.method(fs, 'linkSync', noLinks);
      assert.equal(
        readOrCreate(file(), () => 'first'),
        'first',
      );
      noLinks();
    });
    assert.equal(
      readOrCreate(file(), () => 'second'),
      'first',
    );
    assert.equal(readFileSync(file(), 'utf8'), 'first');
  });

  it('is created without hard links after a process was killed while it did so', async () => {
    mock.method(fs, 'linkSync', noLinks);
    let looks = 0;
    mock.method(Atomics, 'wait', () => {
      looks += 1;
      assert.ok(looks < 1000, 'waits for ever');
      return 'timed-out';
    });
    await mkdir(folder('key.guard'));
    // The clock was set back since then.
    const later = new Date(Date.now() + 3_600_000);
    await utimes(folder('key.guard'), later, later);
    assert.equal(
      readOrCreate(file(), () => 'next'),
      'next',
    );
    assert.deepEqual(readdirSync(folder()), ['key']);
  });
});
