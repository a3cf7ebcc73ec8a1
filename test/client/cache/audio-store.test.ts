import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { AudioStore } from '../../../client/cache/audio-store.js';
import { bytesOnDisk } from '../../../client/cache/entry-files.js';
import { leavingNothing } from '../../support/leftovers.js';
import { rejection } from '../../support/rejection.js';
import { keyOf, speechOf, withStore, namesIn } from './support.js';
import { useFolder } from '../../support/folder.js';

const phonemes = { symbols: ['h', 'ə'], start_times_seconds: [0, 0.1], durations_seconds: [0.1, 0.1] };
const fileOf = (text: string) => `${keyOf(text)}.speech`;
/** Sets the time of last use of an entry, in minutes before now. */
const usedBefore = (file: string, minutes: number) => {
  const time = new Date(Date.now() - minutes * 60_000);
  return utimes(file, time, time);
};
/** Bytes of whole entries on the disk. An entry may be deleted during the look. */
const bytesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.speech'))
    .map((name) => statSync(`${folder}/${name}`, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, bytes) => sum + bytesOnDisk(bytes), 0);

describe('AudioStore', () => {
  const folder = useFolder();

  it('returns the audio and all facts of stored speech, also to another process', async () => {
    const spoken = speechOf(0.2, { phonemes, approximate: true, charged: 0.2 });
    await withStore(folder(), (store) => store.put(keyOf('a'), spoken));
    const found = await withStore(folder(), (store) => store.get(keyOf('a')));
    assert.ok(found);
    const { charged, ...facts } = spoken.value;
    assert.equal(charged, 0.2);
    assert.deepEqual({ ...found.value, audio: Buffer.from(found.value.audio) }, facts);
    assert.equal(found.audio?.format, 'wav');
  });

  it('returns nothing for a missing entry, a missing folder and another key', () =>
    withStore(folder('missing'), async (store) => {
      assert.equal(await store.get(keyOf('a')), undefined);
      assert.equal(await store.has(keyOf('a')), false);
      await store.put(keyOf('a'), speechOf(0.1));
      assert.equal(await store.get(keyOf('b')), undefined);
      assert.equal(await store.has(keyOf('a')), true);
    }));

  it('creates folders and files that only their owner can read', async () => {
    await withStore(folder('one', 'two'), async (store) => {
      await store.put(keyOf('a'), speechOf(0.1));
      store.countSaved('account', 1);
    });
    const modes = [
      'one',
      'one/two',
      ...(await namesIn(folder('one', 'two'))).map((name) => `one/two/${name}`),
    ];
    const found = await Promise.all(modes.map(async (name) => (await stat(folder(name))).mode & 0o777));
    assert.deepEqual(found, [0o700, 0o700, 0o600, 0o600]);
  });

  it('treats an entry with any changed, missing or additional byte as missing, and deletes it', async () => {
    await withStore(folder(), async (store) => {
      const file = folder(fileOf('a'));
      await store.put(keyOf('a'), speechOf(0.02, { phonemes }));
      const whole = await readFile(file);
      const index = fc.nat({ max: whole.length - 1 });
      const damage = fc.oneof(
        fc.tuple(index, fc.integer({ min: 1, max: 255 })).map(([at, change]) => {
          const copy = Buffer.from(whole);
          copy[at] = (copy[at] ?? 0) ^ change;
          return copy;
        }),
        index.map((length) => whole.subarray(0, length)),
        fc.uint8Array({ minLength: 1, maxLength: 50 }).map((more) => Buffer.concat([whole, more])),
        fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      );
      const check = async (bytes: Buffer) => {
        await writeFile(file, bytes);
        assert.equal(await store.get(keyOf('a')), undefined);
        // A later call waits until the file is deleted.
        assert.equal(await store.has(keyOf('a')), false);
      };
      await fc.assert(fc.asyncProperty(damage, check), { numRuns: 60 });
      await store.put(keyOf('a'), speechOf(0.02));
      assert.ok(await store.get(keyOf('a')));
    });
  });

  it('treats a file that was renamed to another key, and a folder in the place of an entry, as missing', () =>
    withStore(folder(), async (store) => {
      await store.put(keyOf('a'), speechOf(0.1));
      await writeFile(folder(fileOf('b')), await readFile(folder(fileOf('a'))));
      await mkdir(folder(fileOf('c')));
      assert.equal(await store.get(keyOf('b')), undefined);
      assert.equal(await store.get(keyOf('c')), undefined);
      assert.ok(await store.get(keyOf('a')));
    }));

  it('treats a named pipe in the place of an entry as missing, and deletes it', () =>
    withStore(folder(), async (store) => {
      execFileSync('mkfifo', [folder(fileOf('a'))]);
      assert.equal(await store.get(keyOf('a')), undefined);
      assert.equal(await store.has(keyOf('a')), false);
      assert.deepEqual(await namesIn(folder()), []);
    }));

  it('deletes the least recently used entries first, and counts a read as a use', () =>
    withStore(
      folder(),
      async (store) => {
        // 2 seconds of 8000 hertz are 32 kB: nine entries fit into 300 kB.
        for (const [index, name] of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].entries()) {
          await store.put(keyOf(name), speechOf(2));
          await usedBefore(folder(fileOf(name)), 100 - index);
        }
        assert.ok(await store.get(keyOf('a')));
        for (const name of ['i', 'j', 'k']) await store.put(keyOf(name), speechOf(2));
        const kept = [];
        for (const name of 'abcdefghijk') if (await store.has(keyOf(name))) kept.push(name);
        assert.deepEqual(kept.join(''), 'adefghijk');
        assert.ok((await store.stats('')).bytes <= 300_000);
      },
      300_000,
    ));

  it('keeps many small entries within the limit, each counted as a disk block', () =>
    withStore(
      folder(),
      async (store) => {
        for (let index = 0; index < 100; index += 1) await store.put(keyOf(`${index}`), speechOf(0.01));
        const { bytes, entries } = await store.stats('');
        assert.equal(bytes, entries * 4096);
        assert.ok(bytes > 130_000 && bytes <= 160_000, `${bytes}`);
        assert.ok(await store.has(keyOf('99')));
      },
      160_000,
    ));

  it('does not store speech that would replace a quarter of the cache', () =>
    withStore(
      folder(),
      async (store) => {
        await store.put(keyOf('a'), speechOf(1));
        await store.put(keyOf('long'), speechOf(20));
        assert.deepEqual([await store.has(keyOf('a')), await store.has(keyOf('long'))], [true, false]);
      },
      300_000,
    ));

  it('deletes unfinished files of killed processes, and no other files', async () => {
    const unfinished = '00000000-0000-4000-8000-000000000000.part';
    const written = '00000000-0000-4000-8000-000000000001.part';
    for (const name of [unfinished, written, 'notes.txt']) await writeFile(folder(name), 'x');
    await usedBefore(folder(unfinished), 2);
    await usedBefore(folder('notes.txt'), 1000);
    await withStore(
      folder(),
      async (store) => {
        for (let index = 0; index < 20; index += 1) await store.put(keyOf(`${index}`), speechOf(0.01));
        await store.clear();
      },
      40_000,
    );
    assert.deepEqual(await namesIn(folder()), ['notes.txt']);
  });

  it('deletes unfinished files of killed processes with the first entry of a process', async () => {
    const unfinished = folder('00000000-0000-4000-8000-000000000000.part');
    await writeFile(unfinished, 'x');
    await usedBefore(unfinished, 2);
    await withStore(folder(), (store) => store.put(keyOf('a'), speechOf(0.01)));
    assert.deepEqual(await namesIn(folder()), [fileOf('a')]);
  });

  it('keeps the limit, and every entry whole, while two stores write to one folder', () =>
    withStore(
      folder(),
      (one) =>
        withStore(
          folder(),
          async (other) => {
            const write = async (store: AudioStore, name: string) => {
              for (let index = 0; index < 40; index += 1) {
                await store.put(keyOf(`${name}${index}`), speechOf(0.5));
                await store.put(keyOf('common'), speechOf(0.5));
                assert.ok((await store.get(keyOf('common')))?.value.audio.length);
              }
            };
            await Promise.all([write(one, 'one'), write(other, 'other')]);
            const { bytes } = await one.stats('');
            assert.ok(bytes > 100_000 && bytes <= 220_000, `${bytes}`);
          },
          200_000,
        ),
      200_000,
    ));

  it('never passes its limit while speech arrives faster than old entries are deleted', () =>
    withStore(
      folder(),
      async (store) => {
        let largest = 0;
        const done = new AbortController();
        const watch = async () => {
          for (; !done.signal.aborted; await nextTurn()) largest = Math.max(largest, bytesIn(folder()));
        };
        const watching = watch();
        const texts = Array.from({ length: 60 }, (_, index) => `${index}`);
        await Promise.all(texts.map((text) => store.put(keyOf(text), speechOf(0.5))));
        done.abort();
        await watching;
        assert.ok(largest > 150_000 && largest <= 200_000, `${largest}`);
        assert.ok(await store.has(keyOf('59')));
      },
      200_000,
    ));

  it('clears all entries, and keeps the saved seconds', () =>
    withStore(folder(), async (store) => {
      await store.put(keyOf('a'), speechOf(1));
      store.countSaved('kitchen', 2.5);
      assert.deepEqual(await store.stats('kitchen'), { bytes: 16_384, entries: 1, savedSeconds: 2.5 });
      await store.clear();
      assert.deepEqual(await store.stats('kitchen'), { bytes: 0, entries: 0, savedSeconds: 2.5 });
      assert.equal(await store.get(keyOf('a')), undefined);
    }));

  it('adds the saved seconds of several processes and runs, for each account', async () => {
    for (let round = 0; round < 3; round += 1) {
      await withStore(folder(), (one) =>
        withStore(folder(), async (other) => {
          one.countSaved('kitchen', 0.25);
          other.countSaved('kitchen', 1);
          other.countSaved('hall', 3);
        }),
      );
    }
    await withStore(folder(), async (store) => {
      assert.equal((await store.stats('kitchen')).savedSeconds, 3.75);
      assert.equal((await store.stats('hall')).savedSeconds, 9);
      assert.equal((await store.stats('attic')).savedSeconds, 0);
    });
  });

  it('replaces the lines of a large file of saved seconds by their sum', async () => {
    await withStore(folder(), async (store) => store.countSaved('kitchen', 1));
    const [name = ''] = await namesIn(folder());
    await writeFile(folder(name), '0.5\nbroken\n'.repeat(10_000));
    await withStore(folder(), async (store) => store.countSaved('kitchen', 1));
    assert.equal(await readFile(folder(name), 'utf8'), '5001.000\n');
    assert.deepEqual(await namesIn(folder()), [name]);
  });

  it('stores again after its folder was deleted, without a warning', () =>
    withStore(folder('cache'), async (store) => {
      store.warners.add(({ english }) => assert.fail(english));
      await store.put(keyOf('a'), speechOf(0.1));
      await rm(folder('cache'), { recursive: true });
      assert.equal(await store.get(keyOf('a')), undefined);
      await store.put(keyOf('a'), speechOf(0.1));
      assert.ok(await store.get(keyOf('a')));
    }));

  it('warns once of each problem if a file is in the place of its folder, and never rejects', async () => {
    await writeFile(folder('file'), '');
    await withStore(folder('file'), async (store) => {
      const warnings: string[] = [];
      store.warners.add(({ english }) => warnings.push(english));
      for (let round = 0; round < 3; round += 1) {
        await store.put(keyOf('a'), speechOf(0.1));
        assert.equal(await store.get(keyOf('a')), undefined);
        assert.equal(await store.has(keyOf('a')), false);
        store.countSaved('kitchen', 1);
      }
      assert.deepEqual(warnings, [
        `the audio cache ${folder('file')}: the path contains a file in the place of a folder. ` +
          'Speech continues without the cache. Check the folder, or choose another one',
      ]);
      assert.equal((await rejection(store.stats(''))).code, 'not-configured');
      assert.equal((await rejection(store.clear())).code, 'not-configured');
    });
  });

  it('warns of a folder that cannot be created', () =>
    withStore('/proc/herald/cache', async (store) => {
      const warnings: string[] = [];
      store.warners.add(({ english }) => warnings.push(english));
      await store.put(keyOf('a'), speechOf(0.1));
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? '', /^the audio cache \/proc\/herald\/cache: ENOENT\./);
    }));

  it('rejects a read with the reason of its signal', () =>
    withStore(folder(), async (store) => {
      const stopping = new AbortController();
      const reading = store.get(keyOf('a'), stopping.signal);
      stopping.abort();
      assert.equal((await rejection(reading)).code, 'aborted');
    }));

  it('returns nothing while a system call hangs, warns once, and works again after its end', () =>
    withStore(folder(), async (store) => {
      const warnings: string[] = [];
      store.warners.add(({ english }) => warnings.push(english));
      await store.put(keyOf('a'), speechOf(0.1));
      await withStore(folder(), async (other) => other.countSaved('kitchen', 1));
      const saved = (await namesIn(folder())).find((name) => name.endsWith('.saved')) ?? assert.fail();
      await rm(folder(saved));
      // Opening a named pipe for reading hangs until a writer opens it.
      execFileSync('mkfifo', [folder(saved)]);
      const measuring = store.stats('kitchen');
      // The measurement lists the folder before it opens the pipe.
      while ((await store.get(keyOf('a'))) !== undefined);
      assert.equal(await store.get(keyOf('a')), undefined);
      await store.put(keyOf('b'), speechOf(0.1));
      await writeFile(folder(saved), '2.5\n');
      assert.equal((await measuring).savedSeconds, 2.5);
      assert.ok(await store.get(keyOf('a')));
      assert.equal(await store.has(keyOf('b')), false);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? '', /the folder does not answer/);
    }));

  it('leaves no folder open if it is closed at any moment of a measurement', () =>
    leavingNothing(async () => {
      await withStore(folder(), async (store) => {
        for (let index = 0; index < 100; index += 1) await store.put(keyOf(`${index}`), speechOf(0.01));
      });
      const open = () => readdirSync(process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd').length;
      const before = open();
      for (let turns = 0; turns < 40; turns += 1) {
        const store = new AudioStore(folder(), 256_000_000);
        const measuring = store.stats('').catch(() => undefined);
        for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
        await store.close();
        await measuring;
      }
      while (open() > before) await new Promise(setImmediate);
    }));

  it('writes speech that was stored before `close`, and nothing after it', () =>
    leavingNothing(async () => {
      const store = new AudioStore(folder(), 256_000_000);
      void store.put(keyOf('a'), speechOf(5));
      store.countSaved('kitchen', 1);
      await store.close();
      const names = await namesIn(folder());
      assert.equal(names.length, 2);
      await store.put(keyOf('b'), speechOf(5));
      assert.equal(await store.get(keyOf('a')), undefined);
      store.countSaved('kitchen', 1);
      assert.deepEqual(await namesIn(folder()), names);
    }));
});
