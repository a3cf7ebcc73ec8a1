import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { RecordingStore } from '../../../../nodes/output/urls/recording-store.js';
import { useDataFolder } from '../../../support/service/local-service.js';
import { never } from '../../../support/waiting.js';

const NO_HEADER = new Uint8Array();
/** The id of a process that does not exist: above the maximum of Linux. */
const DEAD = 4_194_305;

describe('AudioStore', () => {
  const folder = useDataFolder();
  const at = (...names: string[]) => path.join(folder(), ...names);
  let count = 0;
  const newFolder = async () => {
    const created = at(`store-${(count += 1)}`);
    await mkdir(created);
    return created;
  };

  const add = async (store: RecordingStore, bytes: number): Promise<string> => {
    const recorder = await store.record('wav', never);
    await recorder.append(new Uint8Array(bytes));
    await recorder.finish(NO_HEADER);
    return recorder.name;
  };

  it('holds at most `maxBytes` bytes, or one larger file, and drops the oldest files first', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.nat(150), { maxLength: 12 }),
        async (max, sizes) => {
          const place = await newFolder();
          const store = new RecordingStore(place, max);
          const names: string[] = [];
          for (const size of sizes) {
            names.push(await add(store, size));
            const kept = await readdir(place);
            const held = names.map((name) => kept.includes(name));
            const bytes = sizes.slice(0, names.length).filter((_, index) => held[index]);
            assert.ok(bytes.reduce((sum, length) => sum + length, 0) <= max || bytes.length === 1);
            const used = held.map((isHeld, index) => isHeld || sizes[index] === 0);
            assert.ok(held.at(-1) && used.lastIndexOf(false) < used.indexOf(true, used.lastIndexOf(false)));
          }
        },
      ),
      { numRuns: 30 },
    ));

  it('keeps files that are read or written', async () => {
    const store = new RecordingStore(await newFolder(), 100);
    const played = await store.find(await add(store, 60));
    const release = played?.read(undefined, () => undefined);
    assert.ok(played && release);
    const recorder = await store.record('wav', never);
    await recorder.append(new Uint8Array(60));
    const dropped = await add(store, 60);
    await add(store, 60);
    assert.equal(await store.find(dropped), undefined);
    assert.equal(await store.find(played.name), played);
    assert.equal((await store.find(recorder.name))?.state, 'growing');
    release();
    await store.shrink();
    assert.equal(await store.find(played.name), undefined);
    await recorder.fail();
  });

  it('finds the files of an earlier process, and drops its oldest files first', async () => {
    const place = await newFolder();
    const before = new RecordingStore(place, 100);
    const [old, newer] = [await add(before, 40), await add(before, 40)];
    await utimes(path.join(place, old), 2000, 2000);
    await utimes(path.join(place, newer), 1000, 1000);
    const after = new RecordingStore(place, 100);
    assert.equal((await after.find(old))?.bytes, 40);
    await add(after, 40);
    assert.equal(await after.find(newer), undefined);
    assert.deepEqual((await after.find(old))?.state, 'complete');
  });

  it('removes the unfinished files of processes that have ended, and only them', async () => {
    const place = await newFolder();
    const name = 'a'.repeat(40);
    const dead = `${name}.wav.${DEAD}.part`;
    const own = `${name}.wav.${process.pid}.part`;
    const living = `${name}.wav.${process.ppid}.part`;
    const foreign = ['note.txt', 'song.wav', 'x.part', `${name}.part`];
    for (const file of [dead, own, living, ...foreign]) await writeFile(path.join(place, file), 'x');
    const store = new RecordingStore(place, 1);
    const recorder = await store.record('wav', never);
    await store.find(`${name}.wav`);
    const kept = await readdir(place);
    assert.deepEqual(
      kept.filter((file) => !file.startsWith(recorder.name)).sort(),
      [living, ...foreign].sort(),
    );
    await recorder.append(new Uint8Array(9));
    await recorder.finish(NO_HEADER);
    assert.equal((await readFile(path.join(place, recorder.name))).length, 9);
    assert.ok((await readdir(place)).includes('song.wav'));
  });

  it('serves and deletes no symbolic link', async () => {
    const place = await newFolder();
    await writeFile(at('secret'), 'x');
    const name = `${'b'.repeat(40)}.wav`;
    await symlink(at('secret'), path.join(place, name));
    const store = new RecordingStore(place, 1);
    assert.equal(await store.find(name), undefined);
    await add(store, 9);
    assert.ok((await readdir(place)).includes(name));
  });

  it('creates its folder again after it was deleted', async () => {
    const place = await newFolder();
    const store = new RecordingStore(place, 100);
    await add(store, 9);
    await rm(place, { recursive: true });
    await store.check(never);
    assert.ok(await store.find(await add(store, 9)));
  });

  it('removes its file if the signal aborts, and rejects with the reason', async () => {
    const place = await newFolder();
    const stop = new AbortController();
    const recorder = await new RecordingStore(place).record('wav', stop.signal);
    await recorder.append(new Uint8Array(9));
    stop.abort(new Error('stopped'));
    await assert.rejects(recorder.append(new Uint8Array(9)), /stopped/);
    await recorder.fail();
    assert.deepEqual(await readdir(place), []);
  });
});
