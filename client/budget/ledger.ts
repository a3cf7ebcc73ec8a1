import { readFile, rename, writeFile } from 'node:fs/promises';
import { withFolder } from '../base/with-folder.js';
import { PRIVATE_FILE } from '../base/private-files.js';

/** The saved state: a local day such as `2026-01-31`, and the seconds of that day. */
interface Saved {
  day: string;
  seconds: number;
}

export interface LedgerOptions {
  /** Path of the file. The ledger creates its folder. */
  file: string;
  /** Receives one warning per ledger if the file is damaged, and one if it cannot be written. */
  warn(problem: LedgerProblem, file: string, error: unknown): void;
  /** Returns the current time. Default: the clock of the machine. */
  now?(): Date;
}

type LedgerProblem = 'damaged' | 'not-written';

/**
 * The seconds of speech of the current local day, in a file. Each write replaces the whole file, so that a crash leaves the
 * old or the new state. It does not wait for the disk: that would delay each text, and wear out memory cards. A damaged file
 * counts as an empty day: a lost count must not stop speech.
 */
export class Ledger {
  private state: Saved = { day: '', seconds: 0 };
  private loaded: Promise<void> | undefined;
  private writing: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private readonly reported = new Set<LedgerProblem>();

  constructor(private readonly options: LedgerOptions) {}

  /** Reads the file on the first call. */
  load(): Promise<void> {
    return (this.loaded ??= this.read());
  }

  /** Returns the current local day. */
  day(): string {
    return dayOf(this.now());
  }

  now(): Date {
    return this.options.now?.() ?? new Date();
  }

  /** Returns the seconds of today. */
  used(): number {
    const day = this.day();
    if (this.state.day !== day) this.state = { day, seconds: 0 };
    return this.state.seconds;
  }

  /** Adds seconds to a day, or removes them. Ignores a day that is over. */
  add(seconds: number, day: string): void {
    const used = this.used();
    if (day === this.state.day) this.state.seconds = Math.max(0, used + seconds);
  }

  /** Resolves when the file has the current state. A call during a write shares the next write. Never rejects. */
  async save(): Promise<void> {
    // Before the file is read, a write would delete its content.
    if (this.loaded === undefined) return;
    await this.loaded;
    await (this.next ??= this.writing.then(() => {
      this.next = undefined;
      this.writing = this.write();
      return this.writing;
    }));
  }

  private async read(): Promise<void> {
    const { file } = this.options;
    try {
      this.state = savedIn(await readFile(file, 'utf8'));
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isMissing) this.report('damaged', error);
    }
  }

  private async write(): Promise<void> {
    const { file } = this.options;
    const temporary = `${file}.${process.pid}.tmp`;
    try {
      const content = JSON.stringify(this.state);
      await withFolder(temporary, () => writeFile(temporary, content, { mode: PRIVATE_FILE }));
      await rename(temporary, file);
    } catch (error) {
      this.report('not-written', error);
    }
  }

  private report(problem: LedgerProblem, error: unknown): void {
    if (!this.reported.has(problem)) this.options.warn(problem, this.options.file, error);
    this.reported.add(problem);
  }
}

/** @throws Error if the content is not a saved state */
function savedIn(content: string): Saved {
  const saved: unknown = JSON.parse(content);
  if (typeof saved === 'object' && saved !== null && 'day' in saved && 'seconds' in saved) {
    const { day, seconds } = saved;
    if (typeof day === 'string' && typeof seconds === 'number' && seconds >= 0) return { day, seconds };
  }
  throw new Error('expected a day and its seconds');
}

/** Returns the local day of a time, such as `2026-01-31`. */
function dayOf(time: Date): string {
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/** Returns the next local midnight. */
export const nextMidnight = (time: Date): Date =>
  new Date(time.getFullYear(), time.getMonth(), time.getDate() + 1);
