/** A process that uses a cache: `child.ts write|share|fill|read FOLDER`. It reports in lines of JSON. */
import { writeSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { AudioStore } from '../../../client/cache/audio-store.js';
import { keyOf, speechOf, withStore } from './support.js';

/** Writes synchronously, so that a kill cannot lose a report. */
function report(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

/** Stores entries of several sizes, three at a time, without end. Reports each entry that is stored. */
async function write(store: AudioStore): Promise<void> {
  const name = (index: number) => `${process.pid}-${index}`;
  const one = async (index: number) => {
    await store.put(keyOf(name(index)), speechOf(0.1 + (index % 20)));
    report({ stored: name(index) });
  };
  for (let index = 0; ; index += 3) await Promise.all([one(index), one(index + 1), one(index + 2)]);
}

/** Stores and reads entries that another process stores and reads at the same time. */
async function share(store: AudioStore): Promise<void> {
  let damaged = 0;
  let largest = 0;
  for (let index = 0; index < 60; index += 1) {
    const seconds = 1 + (index % 3);
    const key = keyOf(`common ${index % 7}`);
    const found = await store.get(key);
    if (found !== undefined && found.value.audio.length !== 44 + 16_000 * found.value.duration) damaged += 1;
    await store.put(key, speechOf(seconds));
    await store.put(keyOf(`${process.pid} ${index}`), speechOf(seconds));
    store.countSaved('kitchen', 0.5);
    if (index % 10 === 0) largest = Math.max(largest, (await store.stats('')).bytes);
  }
  report({ damaged, largest });
}

/** Stores eight entries of about 0.8 MB, and reads them again. */
async function fill(store: AudioStore): Promise<void> {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  for (const name of names) await store.put(keyOf(name), speechOf(50));
  await read(store, names);
}

async function read(store: AudioStore, names: readonly string[]): Promise<void> {
  const found = [];
  for (const name of names) {
    const spoken = await store.get(keyOf(name));
    if (spoken?.value.duration === 50) found.push(name);
    store.countSaved('kitchen', 1);
  }
  await store.put(keyOf('new'), speechOf(50));
  report({ found });
}

async function main(): Promise<void> {
  const [, , mode = '', folder = ''] = process.argv;
  const warnings: string[] = [];
  const maxBytes = mode === 'share' ? 500_000 : 256_000_000;
  await withStore(
    folder,
    async (store) => {
      store.warners.add(({ english }) => warnings.push(english));
      if (mode === 'write') await write(store);
      if (mode === 'share') await share(store);
      if (mode === 'fill') await fill(store);
      if (mode === 'read') await read(store, ['a', 'b']);
    },
    maxBytes,
  );
  report({ warnings, names: await readdir(folder) });
}

void main();
