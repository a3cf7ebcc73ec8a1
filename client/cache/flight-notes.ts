import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { sleep } from '../base/abort.js';
import { PRIVATE_FILE } from '../base/private-files.js';
import { withFolder } from '../base/with-folder.js';
import { FileLane } from './file-lane.js';

/** Milliseconds of one step on a file. A folder that does not answer has no notes. */
const STEP_MS = 3000;
/** Milliseconds between two looks at a note. */
const LOOK_MS = 100;
/** Milliseconds between two signs of life of a courier. */
const BEAT_MS = 1000;
/**
 * Milliseconds without a sign of life after which a note has no owner: other programs get the process ids of ended ones, and the
 * processes of another computer or container are not visible.
 */
const DEAD_MS = 10_000;
/** Milliseconds after which a note is removed. A request takes minutes at most. */
const OLD_MS = 3_600_000;
const NAME = /^[0-9a-f]{64}\.flight$/;

/**
 * Notes in the folder of a cache: the pieces that couriers are requesting, a file for each with the process id and the computer of the courier. A
 * problem of the folder never reaches a caller.
 */
export class FlightNotes {
  private readonly folder: string;
  private readonly lane = new FileLane();

  /** @param cache the folder of the cache */
  constructor(cache: string) {
    this.folder = path.resolve(cache, 'flights');
  }

  /** Notes that a courier requests a piece. Resolves when the note is written, or could not be written. */
  async write(key: string, courier: number): Promise<void> {
    const file = this.fileOf(key);
    const note = `${courier} ${hostname()}`;
    const write = () => withFolder(file, () => writeFile(file, note, { mode: PRIVATE_FILE }));
    await this.run(write);
  }

  async remove(key: string): Promise<void> {
    await this.run(() => rm(this.fileOf(key), { force: true }));
  }

  /** Shows from now on, until this process ends, that the courier of these pieces lives. */
  keepAlive(keys: () => Iterable<string>): void {
    setInterval(() => {
      const now = new Date();
      for (const key of keys()) void this.run(() => utimes(this.fileOf(key), now, now));
    }, BEAT_MS).unref();
  }

  /** Returns whether a courier of another program requests a piece. @param own process id of the own courier */
  async isRequested(key: string, own: number | undefined): Promise<boolean> {
    const file = this.fileOf(key);
    const note = await this.run(async () => {
      const { mtimeMs } = await stat(file);
      return Date.now() - mtimeMs < DEAD_MS ? await readFile(file, 'utf8') : undefined;
    });
    if (note === undefined) return false;
    const [owner, computer] = note.split(' ');
    return computer === hostname() ? Number(owner) !== own && lives(Number(owner)) : computer !== undefined;
  }

  /** Waits until no courier of another program requests a piece. @throws SpeechError the signal's reason */
  async ended(key: string, own: number | undefined, signal: AbortSignal): Promise<void> {
    while (await this.isRequested(key, own)) await sleep(LOOK_MS, signal);
  }

  /** Removes the notes of couriers that were killed. */
  async tidy(): Promise<void> {
    for (const name of (await this.run(() => readdir(this.folder))) ?? []) {
      const file = path.join(this.folder, name);
      const isOld = async () => NAME.test(name) && Date.now() - (await stat(file)).mtimeMs > OLD_MS;
      if (await this.run(isOld)) await this.run(() => rm(file, { force: true }));
    }
  }

  private fileOf(key: string): string {
    return path.join(this.folder, `${key}.flight`);
  }

  private run<Result>(step: () => Promise<Result>): Promise<Result | undefined> {
    return this.lane.run(step, { timeout: STEP_MS }).catch(() => undefined);
  }
}

/** Whether a process lives. A process of another user does, too. */
function lives(id: number): boolean {
  try {
    return Number.isInteger(id) && id > 0 && process.kill(id, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
