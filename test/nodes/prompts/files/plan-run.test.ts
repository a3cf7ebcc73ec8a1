import assert from 'node:assert/strict';
import {
  appendFile,
  chmod,
  copyFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { SpeechError } from '@herald-speech/client';
import * as fc from 'fast-check';
import { hashOf } from '../../../../nodes/prompts/files/hash.js';
import { Manifest, MANIFEST } from '../../../../nodes/prompts/files/manifest.js';
import { planRun } from '../../../../nodes/prompts/files/plan-run.js';
import type { WrongRow } from '../../../../nodes/prompts/table/table.js';
import { say } from '../../../../nodes/runtime/messages.js';
import {
  audioOf,
  contentOf,
  makeAll,
  planAgain,
  planOf,
  rowOf,
  rowsOf,
  save,
  statesOf,
  withManifest,
} from './prompt-set.js';
import { never, turnsDuring } from '../../../support/waiting.js';
import { useFolder } from '../../../support/folder.js';

const filename = fc.constantFrom('a.wav', 'b.wav', 'menu/a.wav', 'menu/deep/a.wav', 'ÄÖ.wav', 'c d#%.wav');
const table = fc.dictionary(filename, fc.constantFrom('Welcome.', 'Press one.', 'Goodbye.'));

describe('planRun', () => {
  const folder = useFolder();
  const at = (name: string) => path.join(folder(), name);
  const set = { 'a.wav': 'Welcome.', 'menu/b.wav': 'Press one.' };

  it('lets other events of Node-RED happen while it plans a large table into a new folder', async () => {
    const rows = Array.from({ length: 50_000 }, (_, index) => rowOf(`${index}.wav`, `Prompt ${index}.`));
    const turns = await turnsDuring(planAgain(at('new'), rows));
    assert.ok(turns > 10, String(turns));
  });

  it('has only unchanged rows after a run, and nothing to pay', () =>
    fc.assert(
      fc.asyncProperty(fc.array(table, { minLength: 1, maxLength: 4 }), async (tables) => {
        await rm(folder(), { recursive: true, force: true });
        for (const texts of tables) {
          const rows = rowsOf(texts);
          await makeAll(folder(), rows);
          const plan = await planAgain(folder(), rows, { creditsPerSecond: 0.5 });
          const unchanged = rows.length;
          assert.deepEqual(plan.counts, { new: 0, changed: 0, unchanged, wrong: 0 });
          assert.deepEqual([plan.seconds, plan.credits], [0, 0]);
          assert.deepEqual(await makeAll(folder(), rows), []);
        }
      }),
      { numRuns: 13 },
    ));

  it('has the states of the rows, and the gone files, that follow from the table before and the table now', () =>
    fc.assert(
      fc.asyncProperty(table, table, fc.boolean(), async (before, now, isPartial) => {
        await rm(folder(), { recursive: true, force: true });
        await makeAll(folder(), rowsOf(before));
        const plan = await planAgain(folder(), rowsOf(now), { isPartial });
        const expected = Object.entries(now).map(([name, text]) => {
          const state = before[name] === text ? 'unchanged' : 'changed';
          return [name, name in before ? state : 'new'];
        });
        assert.deepEqual(statesOf(plan), Object.fromEntries(expected));
        const gone = Object.keys(before).filter((name) => !isPartial && !(name in now));
        assert.deepEqual([...plan.gone].sort(), gone.sort());
        assert.equal(plan.isPartial, isPartial);
      }),
      { numRuns: 20 },
    ));

  it('makes the same set from partial tables as from the whole table', () =>
    fc.assert(
      fc.asyncProperty(table, fc.nat(6), async (texts, cut) => {
        await rm(folder(), { recursive: true, force: true });
        const rows = rowsOf(texts);
        for (const part of [rows.slice(0, cut), rows.slice(cut), rows])
          await withManifest(folder(), async (manifest) => {
            const plan = await planOf(folder(), manifest, part, { isPartial: true });
            await mkdir(folder(), { recursive: true });
            for (const { row, state } of plan.rows)
              if (state !== 'unchanged') await save(folder(), manifest, row);
            assert.deepEqual([plan.gone, plan.lost], [[], []]);
          });
        const { counts, gone } = await planAgain(folder(), rows);
        assert.deepEqual([counts.unchanged, gone], [rows.length, []]);
      }),
      { numRuns: 13 },
    ));

  it('writes nothing, also without the folder', async () => {
    const plan = await planAgain(at('missing'), rowsOf(set));
    assert.deepEqual(statesOf(plan), { 'a.wav': 'new', 'menu/b.wav': 'new' });
    assert.deepEqual(await readdir(folder()), []);
  });

  it('gives the reason of each changed row, and a warning about a file that no run has made', async () => {
    await makeAll(folder(), rowsOf({ ...set, 'c.wav': 'Goodbye.' }));
    await appendFile(at('menu/b.wav'), 'edited');
    await writeFile(at('own.wav'), 'from a studio');
    const rows = rowsOf({
      'a.wav': 'Hello.',
      'menu/b.wav': 'Press one.',
      'own.wav': 'x',
      'c.wav': 'Goodbye.',
    });
    const plan = await planAgain(folder(), rows);
    assert.deepEqual(
      plan.rows.map(({ state, reason }) => [state, reason?.english]),
      [
        ['changed', 'the text, the voice or a setting has changed'],
        ['changed', 'the file has changed since the last run and will be replaced'],
        ['new', 'replaces a file that no run has made'],
        ['unchanged', undefined],
      ],
    );
  });

  it('makes a deleted file again, and forgets it without a row', async () => {
    await makeAll(folder(), rowsOf(set));
    await rm(at('menu/b.wav'));
    assert.deepEqual(statesOf(await planAgain(folder(), rowsOf(set))), {
      'a.wav': 'unchanged',
      'menu/b.wav': 'new',
    });
    const { gone, lost } = await planAgain(folder(), rowsOf({ 'a.wav': 'Welcome.' }));
    assert.deepEqual([gone, lost], [[], ['menu/b.wav']]);
  });

  it('detects a replaced file of the same size by its time, and a copied folder by its content', async () => {
    await makeAll(folder(), rowsOf(set));
    const copy = at('copy');
    await mkdir(copy);
    for (const name of ['a.wav', 'menu', MANIFEST])
      await cp(at(name), path.join(copy, name), { recursive: true });
    const touched = new Date(Date.now() + 60_000);
    await utimes(path.join(copy, 'a.wav'), touched, touched);
    assert.equal((await planAgain(copy, rowsOf(set))).counts.unchanged, 2);
    await writeFile(at('a.wav'), audioOf(rowOf('a.wav', 'Welcome?')));
    assert.deepEqual(statesOf(await planAgain(folder(), rowsOf(set))), {
      'a.wav': 'changed',
      'menu/b.wav': 'unchanged',
    });
  });

  it('trusts neither a manifest that a user edited nor one of another folder', async () => {
    await makeAll(folder(), rowsOf(set));
    const lines = await readFile(at(MANIFEST), 'utf8');
    await writeFile(
      at(MANIFEST),
      lines.replaceAll(/"sha256":"\w/g, '"sha256":"0').replaceAll(/"modifiedMs":\d/g, '"modifiedMs":9'),
    );
    assert.deepEqual(statesOf(await planAgain(folder(), rowsOf(set))), {
      'a.wav': 'changed',
      'menu/b.wav': 'changed',
    });
    await mkdir(at('other'));
    await copyFile(at(MANIFEST), path.join(at('other'), MANIFEST));
    assert.equal((await planAgain(at('other'), rowsOf(set))).counts.new, 2);
  });

  it('counts the wrong rows of the table, which make no file gone', async () => {
    await makeAll(folder(), rowsOf(set));
    const wrong: WrongRow = { number: 3, given: {}, filename: 'Menu/B.wav', problems: [say('reset')] };
    const plan = await withManifest(folder(), (manifest) =>
      planRun(
        {
          table: { rows: rowsOf({ 'a.wav': 'Welcome.' }), wrong: [wrong] },
          manifest,
          folder: folder(),
          hashOf: contentOf,
          estimate: () => 1,
        },
        never,
      ),
    );
    assert.deepEqual(plan.counts, { new: 0, changed: 0, unchanged: 1, wrong: 1 });
    assert.deepEqual([plan.wrong, plan.gone], [[wrong], []]);
  });

  it('marks rows wrong that cannot be hashed or whose path cannot be written, and plans the others', async () => {
    const outside = path.join(path.dirname(folder()), `${path.basename(folder())}-outside`);
    await mkdir(outside);
    try {
      await mkdir(at('album.wav'));
      await writeFile(at('note'), '');
      await symlink(outside, at('link'));
      await writeFile(path.join(outside, 'b.wav'), '');
      await symlink(path.join(outside, 'b.wav'), at('linked.wav'));
      const names = [
        'album.wav',
        'note/a.wav',
        'link/a.wav',
        'link/b.wav',
        'linked.wav',
        'ok.wav',
        'hash.wav',
      ];
      const rows = names.map((name) => rowOf(name, 'Hello.'));
      const plan = await planAgain(folder(), rows, {
        creditsPerSecond: 2,
        hashOf: (row) => {
          if (row.filename === 'hash.wav') throw new SpeechError('bad-request', say('reset'));
          return contentOf(row);
        },
      });
      const reasons = plan.rows.map(({ state, reason }) =>
        state === 'wrong' ? (reason?.english ?? '') : state,
      );
      const expected = [
        /folder: add the name/,
        /is a file, not a folder/,
        /outside the folder/,
        /outside the folder/,
      ];
      for (const [index, pattern] of [
        ...expected,
        /outside the folder .*, which must contain the file/,
        /^new$/,
        /^stopped by/,
      ].entries())
        assert.match(reasons[index] ?? '', pattern);
      assert.deepEqual(plan.counts, { new: 1, changed: 0, unchanged: 0, wrong: 6 });
      assert.ok(plan.seconds > 0);
      assert.equal(plan.credits, 2 * plan.seconds);
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it('accepts a file and a folder that a link of the user leads to inside the folder', async () => {
    await mkdir(at('real'));
    await writeFile(at('real/b.wav'), '');
    await symlink(at('real'), at('link'));
    await symlink(at('real/b.wav'), at('b.wav'));
    const rows = rowsOf({ 'link/a.wav': 'Hello.', 'b.wav': 'Bye.' });
    assert.deepEqual(await makeAll(folder(), rows), ['link/a.wav', 'b.wav']);
    assert.equal((await planAgain(folder(), rows)).counts.unchanged, 2);
    assert.deepEqual((await readdir(at('real'))).sort(), ['a.wav', 'b.wav']);
  });

  it('leaves an unchanged file alone that is not writable', async () => {
    await makeAll(folder(), rowsOf(set));
    await chmod(at('a.wav'), 0o444);
    assert.equal((await planAgain(folder(), rowsOf(set))).counts.unchanged, 2);
  });

  it('has known seconds for unchanged files, estimates the others, and has no credits without a price', async () => {
    await makeAll(folder(), rowsOf(set));
    const rows = rowsOf({ ...set, 'c.wav': 'Goodbye.' });
    const plan = await planAgain(folder(), rows, { estimate: () => 7 });
    assert.deepEqual(
      plan.rows.map(({ seconds }) => seconds),
      [2, 2, 7],
    );
    assert.deepEqual([plan.seconds, plan.credits], [7, undefined]);
  });

  it('rejects a folder that is a file, and stops with the reason of the signal', async () => {
    await writeFile(at('note'), '');
    const rows = rowsOf(set);
    await assert.rejects(planAgain(at('note/inner'), rows), { code: 'bad-request', message: /not a folder/ });
    const manifest = await Manifest.open(folder(), never);
    await assert.rejects(planOf(at('note'), manifest, rows), {
      code: 'bad-request',
      message: /not a folder/,
    });
    const controller = new AbortController();
    const stopped = new Error('stopped');
    const input = { table: { rows, wrong: [] }, manifest, folder: folder(), estimate: () => 1 };
    const stop = () => {
      controller.abort(stopped);
      return '';
    };
    await assert.rejects(planRun({ ...input, hashOf: stop }, controller.signal), stopped);
  });

  it('checks every one of 1,000 files, with the content of those whose time has changed', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => rowOf(`set/${index}.wav`, `Prompt ${index}.`));
    await makeAll(folder(), rows);
    await writeFile(at('set/500.wav'), audioOf(rowOf('', 'Prompt 50x.')));
    const touched = new Date(Date.now() - 60_000);
    for (const index of [1, 2, 3]) await utimes(at(`set/${index}.wav`), touched, touched);
    const { counts, rows: planned } = await planAgain(folder(), rows);
    assert.deepEqual(counts, { new: 0, changed: 1, unchanged: 999, wrong: 0 });
    assert.equal(planned[500]?.state, 'changed');
  });
});

describe('hashOf', () => {
  it('has the same hash in any order of fields, and another one for each other content', () => {
    const value = fc.dictionary(fc.string(), fc.jsonValue());
    const shuffled = (one: object): object => Object.fromEntries(Object.entries(one).toReversed());
    fc.assert(fc.property(value, (one) => hashOf(one) === hashOf(shuffled(one))));
    fc.assert(
      fc.property(value, value, (one, other) => {
        const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        assert.equal(hashOf(one) === hashOf(other), isSame);
      }),
    );
    assert.match(hashOf({ text: 'a', voice: undefined }), /^[0-9a-f]{64}$/);
    assert.equal(hashOf({ text: 'a', voice: undefined }), hashOf({ text: 'a' }));
  });

  const sorted = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return Array.isArray(value) ? value.map(sorted) : value;
    const entries = Object.entries(value).map(([name, inner]) => [name, sorted(inner)] as const);
    return entries.sort(([one], [other]) => (one < other ? -1 : 1));
  };
});
