import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isErrno } from '../store/store-error.js';

const UNFINISHED = /^((clone-[0-9a-f]{16})\.(?:wav|mp3))\.unfinished$/;

/**
 * The samples of own voices, DIR/clones/ID.wav or ID.mp3; the voices themselves are rows of the database. While a voice
 * is made or removed its file has another name: after a crash in between, the row tells which way it goes. A whole
 * sample is thus never removed at start, not even with a new database.
 */
export class SampleFiles {
  private constructor(private readonly folder: string) {}

  /**
   * Opens the folder, which is made where it is missing, and ends what a crash left half done.
   * @param exists Whether there is a voice of that identifier.
   */
  static async open(folder: string, exists: (voice_id: string) => boolean): Promise<SampleFiles> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const file of await readdir(folder)) {
      const [, name, id] = UNFINISHED.exec(file) ?? [];
      if (name === undefined || id === undefined) continue;
      const place = path.join(folder, file);
      await (exists(id) ? rename(place, path.join(folder, name)) : rm(place, { force: true }));
    }
    return new SampleFiles(folder);
  }

  /** Keeps a sample, whose voice `record` makes. The file is on the disk before the row is. */
  async add<Result>(name: string, sample: Uint8Array, record: () => Result): Promise<Result> {
    const { whole, unfinished } = this.#places(name);
    try {
      await writeFile(unfinished, sample, { mode: 0o600, flag: 'wx', flush: true });
      const result = record();
      await rename(unfinished, whole);
      return result;
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  /** Reads a sample. @throws an error of the file system when somebody took the file away */
  async read(name: string): Promise<Uint8Array> {
    return readFile(this.#places(name).whole);
  }

  /** Removes a sample, whose voice `forget` removes. */
  async remove<Result>(name: string, forget: () => Result): Promise<Result> {
    const { whole, unfinished } = this.#places(name);
    await rename(whole, unfinished).catch((error: unknown) => {
      if (!isErrno(error, 'ENOENT')) throw error; // Somebody took the file away: then there is less to do.
    });
    const result = forget();
    await rm(unfinished, { force: true });
    return result;
  }

  #places(name: string) {
    const whole = path.join(this.folder, name);
    return { whole, unfinished: `${whole}.unfinished` };
  }
}
