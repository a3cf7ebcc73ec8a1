import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makePrivateFolder, PRIVATE_FILE } from '@herald-speech/client';
import type { Before } from '@herald-speech/speakers';

/** A speaker during an announcement, and what must be restored. It has no credentials. */
export interface JournalEntry {
  /** The id of the config node. */
  speaker: string;
  kind: string;
  address: string;
  before: Before;
  /** The start, as milliseconds since 1970. */
  time: number;
}

/** Milliseconds after which nobody expects the former music any more. */
const MAX_AGE_MS = 86_400_000;
/** Maximum number of entries that are read. The others are removed. */
const MAX_ENTRIES = 256;
const NAME = /^[0-9a-f-]{36}\.json$/;

const journals = new Map<string, SpeakerJournal>();

/** Returns the journal of a data folder. All nodes of the process share it. */
export function journalIn(dataFolder: string): SpeakerJournal {
  const folder = path.join(dataFolder, 'speakers');
  const journal = journals.get(folder) ?? new SpeakerJournal(folder);
  journals.set(folder, journal);
  return journal;
}

/** The announcements in progress on disk, so that the next process can restore the speakers after a crash. */
export class SpeakerJournal {
  private scanned: Promise<Map<string, JournalEntry>> | undefined;
  /** The notes of this process that are not removed, by their speakers. */
  private readonly open = new Map<string, { file: string; entry: JournalEntry }>();

  constructor(private readonly folder: string) {}

  /**
   * Notes an announcement. Returns a function that removes the note. An announcement of a speaker that was lost keeps its note until
   * the next one of the speaker: so each speaker has at most one.
   * @throws the error of the file system
   */
  async begin(entry: JournalEntry): Promise<() => Promise<void>> {
    // The entries of earlier processes are read first: they must not get mixed up with those of this process.
    await this.earlier();
    await makePrivateFolder(this.folder);
    const file = path.join(this.folder, `${randomUUID()}.json`);
    await writeFile(file, JSON.stringify(entry), { mode: PRIVATE_FILE, flush: true });
    const former = this.open.get(entry.speaker);
    this.open.set(entry.speaker, { file, entry });
    if (former !== undefined) await rm(former.file, { force: true });
    return () => this.forget(entry.speaker, file);
  }

  /** Returns the note of an announcement of this process after which the speaker was not restored. */
  leftFor(speaker: string): JournalEntry | undefined {
    return this.open.get(speaker)?.entry;
  }

  /**
   * Takes the entries that an earlier process left for a speaker, each once, the latest first: an earlier one has the older state. `forget` removes one when the speaker is restored.
   */
  async take(speaker: string): Promise<(JournalEntry & { forget(): Promise<void> })[]> {
    const earlier = await this.earlier();
    const own = [...earlier]
      .filter(([, entry]) => entry.speaker === speaker)
      .sort(([, one], [, other]) => other.time - one.time);
    for (const [file] of own) earlier.delete(file);
    return own.map(([file, entry]) => ({ ...entry, forget: () => rm(file, { force: true }) }));
  }

  private async forget(speaker: string, file: string): Promise<void> {
    if (this.open.get(speaker)?.file === file) this.open.delete(speaker);
    await rm(file, { force: true });
  }

  private earlier(): Promise<Map<string, JournalEntry>> {
    return (this.scanned ??= this.scan());
  }

  private async scan(): Promise<Map<string, JournalEntry>> {
    const names = (await readdir(this.folder).catch(() => [])).filter((name) => NAME.test(name));
    const entries = new Map<string, JournalEntry>();
    for (const [index, name] of names.entries()) {
      const file = path.join(this.folder, name);
      const entry = index < MAX_ENTRIES ? entryIn(await readFile(file, 'utf8').catch(() => '')) : undefined;
      // A process that was killed while it wrote had not changed the speaker yet.
      if (entry === undefined || Date.now() - entry.time > MAX_AGE_MS) await rm(file, { force: true });
      else entries.set(file, entry);
    }
    return entries;
  }
}

function entryIn(text: string): JournalEntry | undefined {
  let entry: Partial<Record<keyof JournalEntry, unknown>> | null;
  try {
    entry = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { speaker, kind, address, before, time } = entry ?? {};
  const isText = [speaker, kind, address].every((value) => typeof value === 'string');
  if (!isText || typeof time !== 'number' || typeof before !== 'object' || before === null) return undefined;
  return entry as JournalEntry;
}
