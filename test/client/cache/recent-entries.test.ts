import assert from 'node:assert/strict';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { mock } from 'node:test';
import type { AudioStore } from '../../../client/cache/audio-store.js';
import { type FakeClock, withFakeClock } from '../../support/fake-clock.js';
import { keyOf, speechOf, withStore } from './support.js';
import { useFolder } from '../../support/folder.js';

const SECOND = 1000;

describe('the entries of the cache in memory', () => {
  const folder = useFolder();
  const fileOf = (text: string) => folder(`${keyOf(text)}.speech`);
  const withClock = (work: (store: AudioStore, clock: FakeClock) => Promise<void>) =>
    withFakeClock((clock) => withStore(folder(), (store) => work(store, clock)));
  /** Stores entries and reads them once, so that they are in memory. */
  async function used(store: AudioStore, texts: readonly string[], seconds = 0.1): Promise<void> {
    for (const text of texts) await store.put(keyOf(text), speechOf(seconds));
    for (const text of texts) assert.ok(await store.get(keyOf(text)));
  }
  /** Writes the file with one changed bit. */
  async function damage(file: string, to = file): Promise<void> {
    const bytes = await readFile(file);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    await writeFile(to, bytes);
  }
  const wholeOf = async (store: AudioStore, text: string) => {
    const found = await store.get(keyOf(text));
    return found && Buffer.from(found.value.audio);
  };

  it('do not change with the bytes that a caller got', () =>
    withClock(async (store) => {
      const expected = Buffer.from(speechOf(0.1).value.audio);
      await store.put(keyOf('a'), speechOf(0.1));
      for (let round = 0; round < 3; round += 1) {
        const found = await store.get(keyOf('a'));
        assert.deepEqual(found && Buffer.from(found.value.audio), expected);
        found?.value.audio.fill(0);
        assert.deepEqual(found?.audio?.format, 'wav');
      }
    }));

  it('answer for a second without the file, then no longer', () =>
    withClock(async (store, clock) => {
      await used(store, ['a', 'b', 'c']);
      await rm(fileOf('a'));
      await damage(fileOf('b'));
      await writeFile(fileOf('c'), '');
      await clock.advance(SECOND - 1);
      for (const text of ['a', 'b', 'c']) assert.ok(await wholeOf(store, text), text);
      await clock.advance(1);
      for (const text of ['a', 'b', 'c']) assert.equal(await wholeOf(store, text), undefined, text);
      for (const text of ['a', 'b', 'c']) assert.equal(await store.has(keyOf(text)), false, text);
    }));

  it('notice that a file was replaced by a damaged file of the same size, after many checks', () =>
    withClock(async (store, clock) => {
      await used(store, ['a']);
      const now = Date.now() + SECOND;
      const later = mock.method(Date, 'now', () => now);
      try {
        for (let second = 0; second < 3; second += 1) {
          await clock.advance(SECOND);
          assert.ok(await wholeOf(store, 'a'));
        }
        await damage(fileOf('a'), folder('copy'));
        await rename(folder('copy'), fileOf('a'));
        await clock.advance(SECOND);
        assert.equal(await wholeOf(store, 'a'), undefined);
      } finally {
        later.mock.restore();
      }
    }));

  it('are forgotten by `clear` and by `close` at once', () =>
    withClock(async (store) => {
      await used(store, ['a', 'b']);
      await store.clear();
      assert.equal(await wholeOf(store, 'a'), undefined);
      await used(store, ['b']);
      await store.close();
      assert.equal(await wholeOf(store, 'b'), undefined);
    }));

  it('take at most 8 MB, and none of them more than 1 MB', () =>
    withClock(async (store) => {
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
      // 56 seconds are 896 kB: eight of ten entries fit.
      await used(store, names, 56);
      await used(store, ['large'], 70);
      for (const name of [...names, 'large']) await rm(fileOf(name));
      const kept = [];
      for (const name of [...names, 'large']) if (await wholeOf(store, name)) kept.push(name);
      assert.deepEqual(kept.join(''), 'cdefghij');
    }));

  it('set the time of last use once a minute, before `close` ends', async () => {
    const old = new Date(0);
    const isOld = async () => (await stat(fileOf('a'))).mtimeMs === 0;
    await withClock(async (store, clock) => {
      await used(store, ['a']);
      // A later call waits until the time is set.
      await store.has(keyOf('a'));
      assert.equal(await isOld(), false);
      await utimes(fileOf('a'), old, old);
      await clock.advance(59 * SECOND);
      assert.ok(await wholeOf(store, 'a'));
      await store.has(keyOf('a'));
      assert.equal(await isOld(), true);
      await clock.advance(SECOND);
      assert.ok(await wholeOf(store, 'a'));
    });
    assert.equal(await isOld(), false);
  });
});
