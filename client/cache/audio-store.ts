import path from 'node:path';
import { throwIfAborted } from '../base/abort.js';
import { SpeechError } from '../base/errors.js';
import { type Text, text } from '../base/messages.js';
import { cacheError, problemOf } from './cache-problem.js';
import { decodeEntry, decodeWhole, encodeEntry, type Spoken } from './entry.js';
import {
  bytesOnDisk,
  fileOf,
  isFile,
  markUsed,
  MAX_ENTRY_BYTES,
  readEntry,
  removeFile,
  writeEntry,
} from './entry-files.js';
import { FileLane, type LaneLimits } from './file-lane.js';
import { RecentEntries } from './recent-entries.js';
import { SavedSeconds } from './saved-seconds.js';
import { type CacheSize, removeAll, survey, tidy } from './tidy.js';

/** Milliseconds to find and read an entry. After that, the service is asked. */
const READ_MS = 3000;
/** Milliseconds to write an entry, which no caller waits for, or to run a step of a search in the folder. */
const WRITE_MS = 5000;
/** Milliseconds that `close` waits for entries that are being written. */
const CLOSE_MS = 2000;
/** Milliseconds between two writes of the saved seconds. */
const SAVE_MS = 10_000;
/** Bytes of entries that wait to be written. Further entries are not stored. */
const MAX_PENDING_BYTES = 8_000_000;
/** Largest entry, as a part of the whole cache. */
const LARGEST_PART = 1 / 4;
/** Part of the size that a process may always write between two measurements. */
const LEAST_ROOM = 1 / 16;
/** Part of the free space that a process may write between two measurements: other processes write too. */
const ROOM_SHARE = 1 / 4;

/** The content of a cache, and the seconds that an account got from it. */
export interface CacheStats extends CacheSize {
  savedSeconds: number;
}

/**
 * The speech of former requests in a folder, one file for each. A problem of the folder never reaches a caller of `get`, `has`
 * and `put`: `warn` receives each kind of problem once. Several processes may use one folder.
 */
export class AudioStore {
  readonly warners = new Set<(warning: Text) => void>();
  private readonly folder: string;
  private readonly lane = new FileLane();
  private readonly recent = new RecentEntries();
  private readonly saved: SavedSeconds;
  private readonly closing = new AbortController();
  private readonly jobs = new Set<Promise<void>>();
  private readonly reported = new Set<string>();
  private tidying: Promise<void> | undefined;
  private saveTimer: NodeJS.Timeout | undefined;
  private pendingBytes = 0;
  /** Bytes on the disk that this process may write before it measures the cache again. */
  private room = 0;

  /** @param maxBytes bytes on the disk. While several processes write, the cache may be larger by 1/16 for each. */
  constructor(
    folder: string,
    public maxBytes: number,
  ) {
    this.folder = path.resolve(folder);
    this.saved = new SavedSeconds(this.folder);
  }

  /**
   * Returns the speech of a key, or undefined if it is missing or damaged, or cannot be read in time. Deletes a damaged entry.
   * @throws SpeechError the signal's reason
   */
  async get(key: string, signal?: AbortSignal): Promise<Spoken | undefined> {
    if (signal !== undefined) throwIfAborted(signal);
    return this.recall(key) ?? this.read(key, signal);
  }

  /** Returns the speech of a key if it is in memory, and its file was seen less than a second ago. */
  recall(key: string): Spoken | undefined {
    const fresh = this.recent.fresh(key);
    if (fresh !== undefined) this.markUsed(key);
    return fresh;
  }

  /** Returns whether an entry exists. `get` may still find it damaged. @throws SpeechError the signal's reason */
  async has(key: string, signal?: AbortSignal): Promise<boolean> {
    const file = fileOf(this.folder, key);
    return (await this.attempt(() => isFile(file), { timeout: READ_MS, signal })) ?? false;
  }

  /** Stores speech. Resolves when the file is written, or could not be written. */
  put(key: string, spoken: Spoken): Promise<void> {
    const bytes = encodeEntry(key, spoken);
    const isTooLarge = bytes.length > Math.min(MAX_ENTRY_BYTES, this.maxBytes * LARGEST_PART);
    const isBusy = this.pendingBytes > 0 && this.pendingBytes + bytes.length > MAX_PENDING_BYTES;
    if (isTooLarge || isBusy || this.closing.signal.aborted) return Promise.resolve();
    this.pendingBytes += bytes.length;
    return this.track(this.write(fileOf(this.folder, key), bytes));
  }

  /** Counts seconds that an account got from the cache. */
  countSaved(account: string, seconds: number): void {
    if (this.closing.signal.aborted) return;
    this.saved.add(account, seconds);
    this.saveTimer ??= setTimeout(() => {
      this.saveTimer = undefined;
      this.inBackground(() => this.saved.save());
    }, SAVE_MS).unref();
  }

  /** Measures the cache. @throws SpeechError `not-configured` or `timed-out` */
  async stats(account: string): Promise<CacheStats> {
    return this.orError(async () => {
      const { bytes, entries } = await survey(this.folder, this.step);
      return { bytes, entries, savedSeconds: await this.step(() => this.saved.of(account)) };
    });
  }

  /** Deletes all entries, not the saved seconds. @throws SpeechError `not-configured` or `timed-out` */
  clear(): Promise<void> {
    return this.orError(() => removeAll(this.folder, this.step)).finally(() => this.recent.clear());
  }

  /** Ends all work. Waits up to two seconds until all entries and the saved seconds are written. */
  async close(): Promise<void> {
    clearTimeout(this.saveTimer);
    if (this.saved.isUnsaved) this.inBackground(() => this.saved.save());
    this.closing.abort(new SpeechError('aborted', text('client-closed')));
    this.recent.clear();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    await Promise.race([Promise.all(this.jobs), late]);
    clearTimeout(timer);
    this.lane.stop();
  }

  private async read(key: string, signal: AbortSignal | undefined): Promise<Spoken | undefined> {
    const file = fileOf(this.folder, key);
    const known = this.recent.known(key);
    const limits = { timeout: READ_MS, signal };
    const found = await this.attempt(() => readEntry(file, known), limits);
    const spoken = found && (found === known ? decodeWhole : decodeEntry)(key, found.bytes);
    if (found !== undefined && spoken === undefined) this.inBackground(() => removeFile(file));
    if (found === undefined || spoken === undefined) this.recent.forget(key);
    else if (!this.closing.signal.aborted) {
      this.recent.keep(key, found);
      this.markUsed(key);
    }
    return spoken;
  }

  private async write(file: string, bytes: Buffer): Promise<void> {
    const size = bytesOnDisk(bytes.length);
    while (this.room < size) {
      this.tidying ??= this.makeRoom(size).finally(() => {
        this.tidying = undefined;
      });
      await this.tidying;
    }
    this.room -= size;
    await this.attempt(() => writeEntry(file, bytes), { timeout: WRITE_MS });
    this.pendingBytes -= bytes.length;
  }

  /** Measures the cache and deletes old entries. If that fails, this process writes a bounded number of bytes before the next try. */
  private async makeRoom(size: number): Promise<void> {
    const least = Math.max(size, this.maxBytes * LEAST_ROOM);
    try {
      const { bytes } = await tidy(this.folder, this.maxBytes - least, this.step);
      this.room = Math.max(least, (this.maxBytes - bytes) * ROOM_SHARE);
    } catch (error) {
      this.report(error);
      this.room = least;
    }
  }

  /** Runs one step of a search in the folder. */
  private readonly step = <Result>(work: () => Promise<Result>): Promise<Result> =>
    this.lane.run(work, { timeout: WRITE_MS, signal: this.closing.signal });

  /** Runs file work. Reports a failure and returns undefined. @throws SpeechError the signal's reason */
  private async attempt<Result>(
    work: () => Promise<Result>,
    limits: LaneLimits,
  ): Promise<Result | undefined> {
    try {
      return await this.lane.run(work, limits);
    } catch (error) {
      if (error instanceof SpeechError) throw error;
      this.report(error);
      return undefined;
    }
  }

  private async orError<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw cacheError(this.folder, error);
    }
  }

  private markUsed(key: string): void {
    if (this.recent.mark(key)) this.inBackground(() => markUsed(fileOf(this.folder, key)));
  }

  private inBackground(work: () => Promise<void>): void {
    if (this.closing.signal.aborted) return;
    void this.track(this.attempt(work, { timeout: WRITE_MS }));
  }

  private track(job: Promise<void>): Promise<void> {
    this.jobs.add(job);
    return job.finally(() => this.jobs.delete(job));
  }

  private report(error: unknown): void {
    const problem = problemOf(error);
    const kind = typeof problem === 'string' ? problem : problem.key;
    if (this.closing.signal.aborted || this.reported.has(kind)) return;
    this.reported.add(kind);
    const [warn] = this.warners;
    warn?.(text('cache-skipped', { folder: this.folder, problem }));
  }
}
