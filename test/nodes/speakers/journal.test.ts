import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type JournalEntry, SpeakerJournal } from '../../../nodes/speakers/journal.js';

const DAY_MS = 86_400_000;
const entryOf = (speaker: string, time = Date.now()): JournalEntry => ({
  speaker,
  kind: 'mpd',
  address: '10.0.0.7',
  before: { volume: 60 },
  time,
});

describe('the notes of announcements in progress', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-notes-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const notes = () => readdir(folder).catch(() => []);
  /** Leaves a note as a process that was killed does. */
  const leave = async (entry: JournalEntry) => {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, `${randomUUID()}.json`), JSON.stringify(entry));
  };

  it('are one for each speaker, although none of its announcements is restored', async () => {
    const journal = new SpeakerJournal(folder);
    for (let count = 0; count < 20; count += 1)
      for (const speaker of ['kitchen', 'bath']) await journal.begin(entryOf(speaker));
    assert.equal((await notes()).length, 2);
    assert.equal(journal.leftFor('kitchen')?.speaker, 'kitchen');
  });

  it('are gone after the speaker was restored', async () => {
    const journal = new SpeakerJournal(folder);
    await journal.begin(entryOf('kitchen'));
    const forget = await journal.begin(entryOf('kitchen'));
    await forget();
    assert.deepEqual(await notes(), []);
    assert.equal(journal.leftFor('kitchen'), undefined);
  });

  it('of an earlier process come once, the latest first', async () => {
    const now = Date.now();
    for (const age of [2000, 1000, 3000]) await leave(entryOf('kitchen', now - age));
    const journal = new SpeakerJournal(folder);
    const ages = (await journal.take('kitchen')).map(({ time }) => now - time);
    assert.deepEqual(ages, [1000, 2000, 3000]);
    assert.deepEqual(await journal.take('kitchen'), []);
  });

  it('are removed after a day, and above 256', async () => {
    await leave(entryOf('bath', Date.now() - DAY_MS - 1000));
    for (let count = 0; count < 300; count += 1) await leave(entryOf('kitchen'));
    const journal = new SpeakerJournal(folder);
    const kept = await journal.take('kitchen');
    assert.ok(kept.length === 255 || kept.length === 256, String(kept.length));
    assert.equal((await notes()).length, kept.length);
    assert.deepEqual(await journal.take('bath'), []);
  });
});
