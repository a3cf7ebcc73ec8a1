import { rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MAX_CARD } from '../catalogue/model-card.js';
import { NaturalVoiceError } from '../../installed/errors.js';
import type { Consent, FileRecord } from '../../installed/record.js';
import { digestsOf } from '../transfer/digests.js';
import { syncFile } from '../transfer/part-file.js';
import type { ExpectedFile, VoiceSource } from '../transfer/voice-source.js';
import type { InstallControl } from './install-control.js';

interface Dependencies {
  source: VoiceSource;
  consent: Consent;
  work: InstallControl;
}

/** Writes the files of a voice into a draft, one after another, and reports the progress. */
export class DraftFiles {
  readonly #draft: string;
  readonly #dependencies: Dependencies;
  readonly #total: number;
  /** Size and digests of the finished files. */
  readonly records: Record<string, FileRecord> = {};

  constructor(draft: string, dependencies: Dependencies, total: number) {
    this.#draft = draft;
    this.#dependencies = dependencies;
    this.#total = total;
  }

  /**
   * Downloads the model card. Its digest must equal the digest in the consent, because the voice repository corrects
   * cards without a new version of the voice.
   * @throws NaturalVoiceError `consent`
   */
  async card(from: string, name: string): Promise<void> {
    const { source, consent, work } = this.#dependencies;
    const place = path.join(this.#draft, name);
    const content = await source.read(from, { maxBytes: MAX_CARD, signal: work.signal });
    await writeFile(place, content, { flush: true });
    const record = await digestsOf(place, work.signal);
    if (record.sha256 !== consent.cardSha256) {
      const message =
        'the model card differs from the card that you accepted. Read its licence and install again';
      throw new NaturalVoiceError('consent', `${from}: ${message}`);
    }
    this.#add(name, record);
  }

  /** Downloads a file, unless an earlier installation has downloaded it completely. */
  async download({ path: from, ...expected }: ExpectedFile & { path: string }, name: string): Promise<void> {
    const { source, work } = this.#dependencies;
    const place = path.join(this.#draft, name);
    const before = this.#bytes();
    const onProgress = (bytes: number) => {
      const now = Math.min(before + bytes, this.#total);
      work.onProgress({ phase: 'download', bytes: now, total: this.#total });
    };
    const { signal } = work;
    const record =
      (await existing(place, expected, signal)) ??
      (await source.download(from, place, { ...expected, signal, onProgress }));
    this.#add(name, record);
  }

  #add(name: string, record: FileRecord): void {
    this.records[name] = record;
    this.#dependencies.work.onProgress({
      phase: 'download',
      bytes: Math.min(this.#bytes(), this.#total),
      total: this.#total,
    });
  }

  #bytes(): number {
    return Object.values(this.records).reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

/** Returns the digests of a complete file. Deletes any other file. */
async function existing(
  place: string,
  expected: ExpectedFile,
  signal: AbortSignal,
): Promise<FileRecord | undefined> {
  const stats = await stat(place).catch(() => undefined);
  if (stats?.size === expected.bytes) {
    const record = await digestsOf(place, signal);
    if (record.md5 === expected.md5) {
      await syncFile(place); // It can be a new copy.
      return record;
    }
  }
  await rm(place, { force: true, recursive: true });
  return undefined;
}
