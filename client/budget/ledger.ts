import { readFile } from 'node:fs/promises';
import { writeWhole } from '../base/whole-file.js';
import { withFolder } from '../base/with-folder.js';
import { OneByOne } from '../base/one-by-one.js';
import { PRIVATE_FILE } from '../base/private-files.js';

/**
 * The calendar periods of a budget in local time, the shortest first. `prefix` is the number of characters that all days of a
 * period share, such as `2026-01` of `2026-01-31`. `end` returns the start of the next period.
 */
const periods = {
  day: {
    prefix: 10,
    end: (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate() + 1),
  },
  month: { prefix: 7, end: (time: Date) => new Date(time.getFullYear(), time.getMonth() + 1, 1) },
};

export type Period = keyof typeof periods;

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
 * The seconds of speech of each local day of the current month, in a file. Each write replaces the whole file, so that a crash
 * leaves the old or the new state. It does not wait for the disk: that would delay each text, and wear out memory cards. A damaged
 * file counts as an empty month: a lost count must not stop speech.
 */
export class Ledger {
  private days = new Map<string, number>();
  private loaded: Promise<void> | undefined;
  private readonly writes = new OneByOne();
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

  /** Returns the seconds of the current period. */
  used(period: Period): number {
    const current = this.startOf(period);
    return [...this.days].reduce((sum, [day, seconds]) => (day.startsWith(current) ? sum + seconds : sum), 0);
  }

  /** Returns the end of the current period. */
  end(period: Period): Date {
    return periods[period].end(this.now());
  }

  /** Adds seconds to a day, or removes them. Forgets the months that are over. */
  add(seconds: number, day: string): void {
    this.days.set(day, Math.max(0, (this.days.get(day) ?? 0) + seconds));
    const month = this.startOf('month');
    for (const saved of this.days.keys()) if (saved < month) this.days.delete(saved);
  }

  /** Returns the characters that the days of the current period share. */
  private startOf(period: Period): string {
    return this.day().slice(0, periods[period].prefix);
  }

  /** Resolves when the file has the current state. A call during a write shares the next write. Never rejects. */
  async save(): Promise<void> {
    // Before the file is read, a write would delete its content.
    if (this.loaded === undefined) return;
    await this.loaded;
    await (this.next ??= this.writes.run(() => {
      this.next = undefined;
      return this.write();
    }));
  }

  private async read(): Promise<void> {
    const { file } = this.options;
    try {
      this.days = daysIn(await readFile(file, 'utf8'));
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isMissing) this.report('damaged', error);
    }
  }

  private async write(): Promise<void> {
    const { file } = this.options;
    try {
      const content = JSON.stringify(Object.fromEntries(this.days));
      await withFolder(file, () => writeWhole(file, content, { mode: PRIVATE_FILE }));
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
function daysIn(content: string): Map<string, number> {
  const saved: unknown = JSON.parse(content);
  if (typeof saved !== 'object' || saved === null || Array.isArray(saved)) throw new Error(EXPECTED);
  // The form of earlier versions: one day with its seconds.
  if ('day' in saved && 'seconds' in saved) return new Map([checkedDay([String(saved.day), saved.seconds])]);
  return new Map(Object.entries(saved).map(checkedDay));
}

const EXPECTED = 'expected days with their seconds';

/** @throws Error if an entry is not a day with its seconds */
function checkedDay([day, seconds]: [string, unknown]): [string, number] {
  if (/^\d{4}-\d\d-\d\d$/.test(day) && typeof seconds === 'number' && seconds >= 0) return [day, seconds];
  throw new Error(EXPECTED);
}

/** Returns the local day of a time, such as `2026-01-31`. */
function dayOf(time: Date): string {
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
