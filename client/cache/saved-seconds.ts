import { createHash, randomUUID } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { PRIVATE_FILE } from '../base/private-files.js';
import { isErrno } from '../base/errno.js';
import { writeWhole } from '../base/whole-file.js';
import { withFolder } from '../base/with-folder.js';

/** Bytes of a file of sums, above which all lines are replaced by their sum. */
const MAX_BYTES = 65_536;

/**
 * The seconds of audio that an account got from the cache. Each account has a file with one number in each line. Several
 * processes append to it. A line that another process appends during the replacement by the sum is lost.
 */
export class SavedSeconds {
  /** Seconds by account that are not yet on the disk. */
  private readonly unsaved = new Map<string, number>();

  constructor(private readonly folder: string) {}

  /** Whether `save` has work. */
  get isUnsaved(): boolean {
    return this.unsaved.size > 0;
  }

  add(account: string, seconds: number): void {
    this.unsaved.set(account, (this.unsaved.get(account) ?? 0) + seconds);
  }

  /** Returns the sum of all processes. */
  async of(account: string): Promise<number> {
    const { sum } = await readSums(this.fileOf(account));
    return sum + (this.unsaved.get(account) ?? 0);
  }

  /** Writes all sums to the disk. A failed write can be repeated. */
  async save(): Promise<void> {
    for (const [account, seconds] of this.unsaved) {
      this.unsaved.delete(account);
      try {
        await append(this.fileOf(account), seconds);
      } catch (error) {
        this.add(account, seconds);
        throw error;
      }
    }
  }

  /** The name of an account may be a secret or contain any character. */
  private fileOf(account: string): string {
    const name = createHash('sha256').update(account).digest('hex').slice(0, 32);
    return path.join(this.folder, `account-${name}.saved`);
  }
}

/** The first line end separates the number from a line that a killed process left incomplete. */
async function append(file: string, seconds: number): Promise<void> {
  await withFolder(file, () => appendFile(file, `\n${seconds.toFixed(3)}\n`, { mode: PRIVATE_FILE }));
  const { sum, bytes } = await readSums(file);
  if (bytes <= MAX_BYTES) return;
  // The name of an unfinished file of the cache, which removes such files after a crash.
  const draft = path.join(path.dirname(file), `${randomUUID()}.part`);
  await writeWhole(file, `${sum.toFixed(3)}\n`, { mode: PRIVATE_FILE, draft });
}

/** Adds the lines of a file. A line that is not a number does not count. */
async function readSums(file: string): Promise<{ sum: number; bytes: number }> {
  try {
    const text = await readFile(file, 'latin1');
    const numbers = text.split('\n').map(Number).filter(Number.isFinite);
    return { sum: numbers.reduce((sum, seconds) => sum + seconds, 0), bytes: text.length };
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return { sum: 0, bytes: 0 };
    throw error;
  }
}
