import { type CacheFile, listFiles, removeFile } from './entry-files.js';

/** Files that the cache remembers while it looks for the least recently used ones. Bounds the memory of large caches. */
const MAX_OLDEST = 4096;
/** Milliseconds after which an unfinished file belongs to a killed process. Writing a file takes seconds at most. */
const ABANDONED_MS = 60_000;

/** Runs one step of file work. */
type Run = <Result>(step: () => Promise<Result>) => Promise<Result>;

/** The size of a cache. */
export interface CacheSize {
  /** Bytes on the disk. */
  bytes: number;
  entries: number;
}

/**
 * Deletes unfinished files of killed processes, then the least recently used entries until at most `maxBytes` are left.
 * @returns the remaining entries
 */
export async function tidy(folder: string, maxBytes: number, run: Run): Promise<CacheSize> {
  for (;;) {
    const { oldest, ...size } = await survey(folder, run);
    const before = size.entries;
    for (const { file, bytes } of oldest) {
      if (size.bytes <= maxBytes) break;
      await run(() => removeFile(file));
      size.bytes -= bytes;
      size.entries -= 1;
    }
    if (size.bytes <= maxBytes || size.entries === before) return size;
  }
}

/** Deletes all files of the cache. Other files in the folder remain. */
export async function removeAll(folder: string, run: Run): Promise<void> {
  for await (const { file } of listFiles(folder, run)) await run(() => removeFile(file));
}

/** Measures the cache, and returns its least recently used entries, oldest first. */
export async function survey(folder: string, run: Run): Promise<CacheSize & { oldest: CacheFile[] }> {
  const size = { bytes: 0, entries: 0 };
  let oldest: CacheFile[] = [];
  for await (const found of listFiles(folder, run)) {
    if (!found.isEntry && Date.now() - found.usedAt > ABANDONED_MS) {
      await run(() => removeFile(found.file));
      continue;
    }
    size.bytes += found.bytes;
    if (!found.isEntry) continue;
    size.entries += 1;
    oldest.push(found);
    if (oldest.length >= 2 * MAX_OLDEST) oldest = sortedByUse(oldest).slice(0, MAX_OLDEST);
  }
  return { ...size, oldest: sortedByUse(oldest).slice(0, MAX_OLDEST) };
}

const sortedByUse = (files: CacheFile[]): CacheFile[] =>
  files.sort((one, other) => one.usedAt - other.usedAt);
