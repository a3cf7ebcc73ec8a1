import { copied, decodeWhole, type Spoken } from './entry.js';

/** Bytes of all entries in memory, and of the largest one. */
const MAX_BYTES = 8_000_000;
const MAX_ENTRY_BYTES = 1_000_000;
/** Milliseconds without a look at the file. So long, another process may have deleted or replaced it. */
const TRUST_MS = 1000;
/** Milliseconds between two changes of the time of last use. */
const MARK_MS = 60_000;

/** The content of a file, and the version of the file: any change of the file changes the version. */
export interface FoundEntry {
  bytes: Buffer;
  /** undefined if the file changed so recently that the next change may leave the same version. */
  version: string | undefined;
}

interface Recent extends FoundEntry {
  /** The speech in `bytes` after its first use. */
  spoken?: Spoken | undefined;
  /** Time of the last look at the file in `performance.now()` milliseconds. */
  seenAt: number;
  /** Time of the last change of the time of last use in `performance.now()` milliseconds. */
  markedAt: number;
}

/** The most recently used small entries in memory, at most 8 MB. The files remain the only truth. */
export class RecentEntries {
  /** By key, the least recently used one first. */
  private readonly entries = new Map<string, Recent>();
  private bytes = 0;

  /** Returns the speech of an entry whose file was seen less than a second ago. The caller may change it. */
  fresh(key: string): Spoken | undefined {
    const recent = this.entries.get(key);
    if (recent === undefined || performance.now() - recent.seenAt >= TRUST_MS) return undefined;
    this.entries.delete(key);
    this.entries.set(key, recent);
    recent.spoken ??= decodeWhole(key, recent.bytes);
    return recent.spoken && copied(recent.spoken);
  }

  /** Returns the entry, which is valid only if the file still has this version. */
  known(key: string): FoundEntry | undefined {
    return this.entries.get(key);
  }

  /** Keeps a copy of an entry whose file was just seen. A large entry is not kept. The caller may change its bytes. */
  keep(key: string, { bytes, version }: FoundEntry): void {
    const markedAt = this.entries.get(key)?.markedAt ?? -Infinity;
    this.forget(key);
    if (bytes.length > MAX_ENTRY_BYTES) return;
    this.entries.set(key, { bytes: Buffer.from(bytes), version, seenAt: performance.now(), markedAt });
    this.bytes += bytes.length;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= MAX_BYTES) break;
      this.forget(oldest);
    }
  }

  /** Returns whether the file needs a new time of last use: at most once a minute for an entry in memory. */
  mark(key: string): boolean {
    const recent = this.entries.get(key);
    if (recent === undefined) return true;
    const now = performance.now();
    if (now - recent.markedAt < MARK_MS) return false;
    recent.markedAt = now;
    return true;
  }

  forget(key: string): void {
    this.bytes -= this.entries.get(key)?.bytes.length ?? 0;
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
    this.bytes = 0;
  }
}
