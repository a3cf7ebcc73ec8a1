import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { link, mkdir, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { deleteGone } from '../../../../nodes/prompts/files/gone-files.js';
import { removeLeftovers } from '../../../../nodes/prompts/files/leftovers.js';
import { MANIFEST } from '../../../../nodes/prompts/files/manifest.js';
import { say } from '../../../../nodes/runtime/messages.js';
import type { PromptRow } from '../../../../nodes/prompts/table/table.js';
import { makeAll, planAgain, planOf, rowOf, rowsOf, save, withManifest } from './prompt-set.js';
import { never } from '../../../support/waiting.js';
import { useFolder } from '../../../support/folder.js';

/** Deletes the files that have no row. */
const deleteWithout = (folder: string, rows: readonly PromptRow[], isPartial = false): Promise<string[]> =>
  withManifest(folder, async (manifest) => {
    const plan = await planOf(folder, manifest, rows, { isPartial });
    return deleteGone(folder, plan, manifest, never);
  });

const filename = fc.constantFrom('a.wav', 'b.wav', 'menu/a.wav', 'menu/deep/a.wav', 'menu/deep/b.wav');
const table = fc.dictionary(filename, fc.constantFrom('Welcome.', 'Goodbye.'));

describe('deleteGone', () => {
  const folder = useFolder();
  const at = (name: string) => path.join(folder(), name);
  const set = { 'a.wav': 'Welcome.', 'menu/b.wav': 'Press one.', 'menu/deep/c.wav': 'Goodbye.' };
  const filesIn = async (place = folder()) => {
    const entries = await readdir(place, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => !entry.isDirectory() && entry.name !== MANIFEST);
    return files.map((entry) => path.relative(place, path.join(entry.parentPath, entry.name))).sort();
  };

  it('leaves the files of the table, no others and no empty folder', () =>
    fc.assert(
      fc.asyncProperty(table, table, async (before, now) => {
        await rm(folder(), { recursive: true, force: true });
        await makeAll(folder(), rowsOf(before));
        await makeAll(folder(), rowsOf(now));
        const deleted = await deleteWithout(folder(), rowsOf(now));
        assert.deepEqual(
          deleted.sort(),
          Object.keys(before)
            .filter((name) => !(name in now))
            .sort(),
        );
        assert.deepEqual(await filesIn(), Object.keys(now).sort());
        const folders = Object.keys(now).flatMap((name) => [
          path.dirname(name),
          path.dirname(path.dirname(name)),
        ]);
        const expected = [...new Set(folders)].filter((name) => name !== '.').sort();
        const entries = await readdir(folder(), { recursive: true, withFileTypes: true });
        const found = entries.filter((entry) => entry.isDirectory());
        assert.deepEqual(
          found.map((entry) => path.relative(folder(), path.join(entry.parentPath, entry.name))).sort(),
          expected,
        );
        const again = await planAgain(folder(), rowsOf(now));
        assert.deepEqual([again.gone, again.lost, again.counts.unchanged], [[], [], Object.keys(now).length]);
      }),
      { numRuns: 25 },
    ));

  it('keeps a file that a user has changed, and lists it again', async () => {
    await makeAll(folder(), rowsOf(set));
    await writeFile(at('a.wav'), 'from a studio');
    assert.deepEqual(await deleteWithout(folder(), []), ['menu/b.wav', 'menu/deep/c.wav']);
    assert.deepEqual(await filesIn(), ['a.wav']);
    assert.deepEqual((await planAgain(folder(), [])).gone, ['a.wav']);
  });

  it('keeps a file of the same size and time with another content', async () => {
    await makeAll(folder(), rowsOf({ 'a.wav': 'Welcome.' }));
    const made = await withManifest(folder(), async (manifest) => manifest.get('a.wav'));
    await writeFile(at('a.wav'), 'audio of Welcome!');
    const time = new Date(made?.modifiedMs ?? 0);
    await utimes(at('a.wav'), time, time);
    assert.deepEqual(await deleteWithout(folder(), []), []);
  });

  it('deletes a file whose time has changed with the same content', async () => {
    await makeAll(folder(), rowsOf({ 'a.wav': 'Welcome.' }));
    await utimes(at('a.wav'), new Date(0), new Date(0));
    assert.deepEqual(await deleteWithout(folder(), []), ['a.wav']);
  });

  it('deletes nothing for a partial table, and no file that the manifest lacks', async () => {
    await makeAll(folder(), rowsOf(set));
    await mkdir(at('other'));
    await writeFile(at('other/own.wav'), '');
    assert.deepEqual(await deleteWithout(folder(), [], true), []);
    await deleteWithout(folder(), []);
    assert.deepEqual(await filesIn(), ['other/own.wav']);
  });

  it('deletes nothing if the table has a wrong row, which can hide the name of its file', async () => {
    await makeAll(folder(), rowsOf(set));
    const wrong = [{ number: 2, given: {}, filename: '../menu', problems: [say('reset')] }];
    const deleted = await withManifest(folder(), async (manifest) => {
      const plan = { ...(await planOf(folder(), manifest, [])), wrong };
      assert.equal(plan.gone.length, 3);
      return deleteGone(folder(), plan, manifest, never);
    });
    assert.deepEqual([deleted, (await filesIn()).length], [[], 3]);
  });

  it('keeps folders that a user made or uses', async () => {
    await mkdir(at('own'));
    await makeAll(folder(), rowsOf({ 'own/a.wav': 'A.', 'menu/b.wav': 'B.', 'menu/deep/c.wav': 'C.' }));
    await writeFile(at('menu/note.txt'), '');
    await deleteWithout(folder(), []);
    assert.deepEqual((await readdir(folder(), { recursive: true })).sort(), [
      MANIFEST,
      'menu',
      'menu/note.txt',
      'own',
    ]);
  });

  it('deletes nothing outside the folder: through a linked folder, a linked file or an edited manifest', async () => {
    const outside = `${folder()}-outside`;
    try {
      await makeAll(folder(), rowsOf({ ...set, 'd.wav': 'D.' }));
      await rename(at('menu'), outside);
      await symlink(outside, at('menu'));
      await rename(at('d.wav'), path.join(outside, 'd.wav'));
      await symlink(path.join(outside, 'd.wav'), at('d.wav'));
      assert.deepEqual(await deleteWithout(folder(), []), ['a.wav']);
      assert.deepEqual(await filesIn(outside), ['b.wav', 'd.wav', 'deep/c.wav']);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });

  it('keeps the file of a row whose folder was renamed, with a link under its former name', async () => {
    await makeAll(folder(), rowsOf({ 'old/a.wav': 'Welcome.' }));
    await rename(at('old'), at('new'));
    await symlink('new', at('old'));
    const rows = rowsOf({ 'new/a.wav': 'Welcome.' });
    await makeAll(folder(), rows);
    assert.deepEqual(await deleteWithout(folder(), rows), []);
    assert.deepEqual(await filesIn(), ['new/a.wav', 'old']);
  });

  it('keeps a file that a row of the table has under another spelling, as on Windows', async () => {
    await makeAll(folder(), rowsOf({ 'menu.wav': 'Welcome.' }));
    // Two names of one file stand for a file system that ignores the case.
    await link(at('menu.wav'), at('Menu.wav'));
    const rows = rowsOf({ 'Menu.wav': 'Welcome.' });
    const { gone, lost } = await planAgain(folder(), rows);
    assert.deepEqual([gone, lost], [[], ['menu.wav']]);
    assert.deepEqual(await deleteWithout(folder(), rows), []);
    assert.deepEqual(await filesIn(), ['Menu.wav', 'menu.wav']);
  });

  it('deletes the former spelling of a file if it is another file', async () => {
    await makeAll(folder(), rowsOf({ 'menu.wav': 'Welcome.' }));
    await makeAll(folder(), rowsOf({ 'Menu.wav': 'Welcome.' }));
    assert.deepEqual(await deleteWithout(folder(), rowsOf({ 'Menu.wav': 'Welcome.' })), ['menu.wav']);
  });

  it('stops with the reason of the signal, and forgets exactly the deleted files', async () => {
    await makeAll(folder(), rowsOf(set));
    const stopped = new Error('stopped');
    await withManifest(folder(), async (manifest) => {
      const plan = await planOf(folder(), manifest, []);
      await assert.rejects(deleteGone(folder(), plan, manifest, AbortSignal.abort(stopped)), stopped);
    });
    assert.equal((await planAgain(folder(), [])).gone.length, 3);
  });
});

describe('savePrompt', () => {
  const folder = useFolder();
  const [row] = rowsOf({ 'menu/a.wav': 'Welcome.' });

  it('keeps the earlier file and its entry if the new file gets no name', async () => {
    assert.ok(row);
    await makeAll(folder(), [row]);
    await withManifest(folder(), async (manifest) => {
      const before = manifest.get(row.filename);
      const controller = new AbortController();
      const stopped = new Error('stopped');
      const { add } = manifest;
      // The user stops the run between the line in the manifest and the name of the file.
      manifest.add = async (file) => {
        await add.call(manifest, file);
        controller.abort(stopped);
      };
      const changed = { ...row, text: 'Goodbye.' };
      await assert.rejects(save(folder(), manifest, changed, controller.signal), stopped);
      assert.deepEqual(manifest.get(row.filename), before);
    });
    assert.equal((await planAgain(folder(), [row])).counts.unchanged, 1);
    assert.deepEqual(await readdir(path.join(folder(), 'menu')), ['a.wav']);
  });

  it('keeps the entry of a file that gets its name although the run is stopped', async () => {
    await withManifest(folder(), async (manifest) => {
      const { add } = manifest;
      for (let index = 0; index < 20; index += 1) {
        const controller = new AbortController();
        manifest.add = async (file) => {
          await add.call(manifest, file);
          // The name is then on its way to the disk.
          setImmediate(() => controller.abort(new Error('stopped')));
        };
        const file = `${index}.wav`;
        await save(folder(), manifest, rowOf(file, 'Welcome.'), controller.signal).catch(() => undefined);
        const names = await readdir(folder());
        assert.equal(names.includes(file), manifest.get(file) !== undefined);
      }
    });
  });

  it('writes nothing outside the folder, also through a link', async () => {
    assert.ok(row);
    const outside = `${folder()}-outside`;
    await mkdir(outside);
    try {
      await symlink(outside, path.join(folder(), 'menu'));
      await withManifest(folder(), async (manifest) => {
        await assert.rejects(save(folder(), manifest, row), {
          code: 'bad-request',
          message: /outside the folder/,
        });
        const deep = { ...row, filename: 'menu/deep/a.wav' };
        await assert.rejects(save(folder(), manifest, deep), {
          code: 'bad-request',
          message: /outside the folder/,
        });
        assert.deepEqual(manifest.all(), []);
      });
      assert.deepEqual(await readdir(outside), []);
    } finally {
      await rm(outside, { recursive: true });
    }
  });
});

describe('removeLeftovers', () => {
  const folder = useFolder();
  const host = createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8);
  const partOf = (pid: number) => `.${host}-${pid}-12345678-1234-1234-1234-123456789abc.part`;

  it('removes the temporary files of ended processes in the folders of the files, each time', async () => {
    const ended = Number(execFileSync('sh', ['-c', 'echo $$']));
    await mkdir(path.join(folder(), 'menu/deep'), { recursive: true });
    const kept = ['', 'menu', 'menu/deep'].map((name) => path.join(name, partOf(process.ppid)));
    for (let round = 0; round < 2; round += 1) {
      for (const name of ['', 'menu', 'menu/deep'])
        for (const pid of [ended, process.ppid]) await writeFile(path.join(folder(), name, partOf(pid)), '');
      await removeLeftovers(folder(), ['menu/deep/a.wav', 'missing/b.wav'], never);
      const left = (await readdir(folder(), { recursive: true })).filter((name) => name.endsWith('.part'));
      assert.deepEqual(left.sort(), kept.sort());
    }
  });
});
