import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, utimes } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { decodeEntry } from '../../../client/cache/entry.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { loadTypescript } from '../../support/run-typescript.js';
import { keyOf, speechOf, withStore, namesIn } from './support.js';
import { useFolder } from '../../support/folder.js';
import { fromProgram, spawned } from '../../support/spawned.js';

const CHILD = path.join(__dirname, 'child.ts');
const KILLS = 4;
const command = (mode: string, folder: string) => [process.execPath, ...loadTypescript, CHILD, mode, folder];
/** Mounts a file system of 4 MB in a namespace of the shell, and then runs a script. */
const MOUNT = 'mount -t tmpfs -o size=4m,mode=700 tmpfs "$0" && ';

/** Runs a command and returns the lines of its output. Fails if the process fails, for example with an unhandled error. */
async function run([program = '', ...args]: readonly string[]): Promise<unknown[]> {
  const child = spawned(spawn(program, args));
  const closed = once(child, 'close');
  const output = Promise.all([text(child.stdout), text(child.stderr), closed]);
  const [printed, errors, [code]] = await fromProgram(child, output);
  assert.equal(code, 0, errors);
  return printed
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

const end = z.object({ warnings: z.array(z.string()), names: z.array(z.string()) });
const found = z.object({ found: z.array(z.string()) });

describe('the cache of several processes', () => {
  const folder = useFolder();

  it(`has every reported entry, and no damaged one, after ${KILLS} times kill -9`, async () => {
    const stored: string[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      const [program = '', ...args] = command('write', folder());
      const child = spawned(spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
      const output = text(child.stdout);
      await once(child.stdout, 'data');
      await delay(Math.random() * 150);
      child.kill('SIGKILL');
      const lines = (await output).split('\n').filter((line) => line.endsWith('}'));
      stored.push(...lines.map((line) => z.object({ stored: z.string() }).parse(JSON.parse(line)).stored));
    }
    assert.ok(stored.length > KILLS);
    const names = await namesIn(folder());
    for (const name of names.filter((name) => name.endsWith('.speech'))) {
      const [key = ''] = name.split('.');
      assert.ok(decodeEntry(key, await readFile(folder(name))), name);
    }
    await withStore(folder(), async (store) => {
      for (const name of stored) assert.ok(await store.get(keyOf(name)), name);
    });
    const before = new Date(Date.now() - 120_000);
    const unfinished = names.filter((name) => name.endsWith('.part'));
    for (const name of unfinished) await utimes(folder(name), before, before);
    await withStore(folder(), (store) => store.put(keyOf('next'), speechOf(0.1)));
    assert.deepEqual(
      (await namesIn(folder())).filter((name) => !name.endsWith('.speech')),
      [],
    );
  });

  it('stays whole and within its limit while two processes write the same entries', async () => {
    const reports = await Promise.all([1, 2].map(() => run(command('share', folder()))));
    for (const [first, last] of reports) {
      const { damaged, largest } = z.object({ damaged: z.number(), largest: z.number() }).parse(first);
      assert.equal(damaged, 0);
      // Each process may exceed the limit by 1/16, and by one entry of 48 kB.
      assert.ok(largest > 0 && largest <= 500_000 * (1 + 2 / 16) + 2 * 52_000, `${largest}`);
      assert.deepEqual(end.parse(last).warnings, []);
    }
    await withStore(folder(), async (store) => {
      assert.equal((await store.stats('kitchen')).savedSeconds, 60);
    });
  });

  describeWith(['unshare'], 'on a disk of its own', () => {
    const inNamespace = (script: string, ...more: string[]) =>
      run(['unshare', '-rm', 'sh', '-c', MOUNT + script, folder(), ...more]);

    it('continues on a full disk with one warning, without unfinished files', async () => {
      const [first, last] = await inNamespace('exec "$@"', ...command('fill', folder()));
      const { warnings, names } = end.parse(last);
      assert.deepEqual(warnings, [
        `the audio cache ${folder()}: the disk is full. Speech continues without the cache. ` +
          'Check the folder, or choose another one',
      ]);
      assert.deepEqual(found.parse(first).found, ['a', 'b', 'c', 'd', 'e']);
      assert.deepEqual(
        names.filter((name) => name.endsWith('.part')),
        [],
      );
    });

    it('reads entries of a folder that became read-only, with one warning', async () => {
      const read = command('read', folder()).join(' ');
      const script = `"$@" >/dev/null && mount -o remount,ro "$0" && exec ${read}`;
      const [first, last] = await inNamespace(script, ...command('fill', folder()));
      assert.deepEqual(found.parse(first).found, ['a', 'b']);
      const { warnings } = end.parse(last);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? '', /^the audio cache .*: no permission\./);
    });
  });
});
