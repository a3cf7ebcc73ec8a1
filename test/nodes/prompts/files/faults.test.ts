import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from '@herald-speech/client';
import { MANIFEST } from '../../../../nodes/prompts/files/manifest.js';
import { describeWith } from '../../../support/programs/describe-with.js';
import { loadTypescript } from '../../../support/run-typescript.js';
import { loadSet } from './killed-set.js';
import { planAgain } from './prompt-set.js';
import { useFolder } from '../../../support/folder.js';
import { spawned } from '../../../support/spawned.js';

const PROCESS = path.join(__dirname, 'prompts-process.ts');
/** Files that one process makes at a time. */
const PARALLEL = 4;
const KILLS = 6;

describe('a run that is killed', () => {
  const folder = useFolder();
  const { rows, audioOf } = loadSet();

  /** Runs the process, and kills it at a random moment. Returns whether it ended by itself. */
  async function runUntil(killAfterMs: number): Promise<boolean> {
    const child = spawned(
      spawn(process.execPath, [...loadTypescript, PROCESS, 'run', folder()], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    const ended = once(child, 'close');
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await once(child.stdout, 'data');
    await Promise.race([ended, sleep(killAfterMs)]);
    child.kill('SIGKILL');
    await ended;
    return output.includes('done');
  }

  it('has every file complete after the last run, pays no file twice that a killed run completed, and leaves nothing', async () => {
    let kills = 0;
    for (; kills < KILLS; kills += 1) if (await runUntil(Math.random() * 150)) break;
    assert.ok(await runUntil(60_000));
    for (const row of rows) {
      const audio = await readFile(path.join(folder(), row.filename));
      assert.ok(audio.equals(audioOf(row)), row.filename);
    }
    const names = (await readdir(folder(), { recursive: true })).filter((name) => /^\.|\/\./.test(name));
    assert.deepEqual(names, [MANIFEST]);
    const manifest = (await readFile(path.join(folder(), MANIFEST), 'utf8')).trimEnd().split('\n');
    assert.ok(manifest.length >= 1 + rows.length);
    const paid = (await readFile(`${folder()}-paid`, 'utf8')).trimEnd().split('\n').length;
    await rm(`${folder()}-paid`);
    assert.ok(
      paid >= rows.length && paid <= rows.length + PARALLEL * kills,
      `${paid} files paid, ${kills} kills`,
    );
    const { counts, gone } = await planAgain(folder(), rows);
    assert.deepEqual([counts.unchanged, gone], [rows.length, []]);
  }).timeout(120_000);
});

const report = z.object({
  errors: z.array(z.string()),
  states: z.record(z.string(), z.number()),
  names: z.array(z.string()),
});

describeWith(['unshare'], 'a disk of a run', function () {
  const folder = useFolder();

  /** Mounts a file system in a namespace of the child, which needs no rights, and makes files in it. */
  async function makeOn(options: string): Promise<z.output<typeof report>> {
    const disk = path.join(folder(), 'disk');
    await mkdir(disk);
    const mount = `mount -t tmpfs -o ${options} tmpfs "$0" && exec "$@"`;
    const command = [process.execPath, ...loadTypescript, PROCESS, 'faults', disk];
    const { stdout } = await promisify(execFile)('unshare', ['-rm', 'sh', '-c', mount, disk, ...command]);
    return report.parse(JSON.parse(stdout));
  }

  it('becomes full: the files that fit are complete, the others fail with the fix, and small ones follow', async () => {
    const { errors, states, names } = await makeOn('size=4m,mode=700');
    assert.ok(errors.length >= 2 && errors.length <= 4);
    for (const error of errors) assert.match(error, /file ".*": the disk is full: free some space/);
    assert.deepEqual(states, {
      new: 120 - 8 + errors.length,
      changed: 0,
      unchanged: 8 - errors.length,
      wrong: 0,
    });
    const isLeft = (name: string) => name.endsWith('.part') || name.endsWith('.lock');
    assert.deepEqual(names.filter(isLeft), []);
  });

  it('is read-only: nothing is made, each error has the fix, and the plan still works', async () => {
    const { errors, states, names } = await makeOn('ro,mode=700');
    assert.equal(errors.length, 9);
    for (const error of errors)
      assert.match(error, /access denied: permit it to the user that runs Node-RED/);
    assert.equal(states['new'], 120);
    assert.deepEqual(names, []);
  });
});
