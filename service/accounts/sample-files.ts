import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isErrno, PRIVATE_FILE, PRIVATE_FOLDER } from '@herald-speech/client/files';
import { asStoreError } from '../kit/store-error.js';

const UNFINISHED = /^((clone-[0-9a-f]{16})\.(?:wav|mp3))\.unfinished$/;

/**
 * The samples of custom voices, as files DIR/clones/ID.wav or ID.mp3. The database has a row for each voice. While the
 * service creates or deletes a voice, its file has the extension `.unfinished`. After a crash, the row decides if that
 * file is kept. Files without the extension are never deleted at the start, not even with a new database.
 */
export class SampleFiles {
  readonly #folder: string;
  /** Settles after the last deletion. */
  #removals: Promise<unknown> = Promise.resolve();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Opens the folder, and completes creations and deletions that a crash interrupted. Creates the folder if missing.
   * @param exists returns whether the database has a row for the voice
   * @throws an error of the file system
   */
  static async open(folder: string, exists: (voice_id: string) => boolean): Promise<SampleFiles> {
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
    for (const file of await readdir(folder)) {
      const [, name, id] = UNFINISHED.exec(file) ?? [];
      if (name === undefined || id === undefined) continue;
      const place = path.join(folder, file);
      await (exists(id) ? rename(place, path.join(folder, name)) : rm(place, { force: true }));
    }
    return new SampleFiles(folder);
  }

  /**
   * Stores the sample of a new voice. The file is on disk before `record` adds the row.
   * @throws the error of `record`, or a StoreError such as `full`; the file is removed then
   */
  async add<Result>(name: string, sample: Uint8Array, record: () => Result): Promise<Result> {
    const { whole, unfinished } = this.#places(name);
    try {
      await writeFile(unfinished, sample, { mode: PRIVATE_FILE, flag: 'wx', flush: true });
      const result = record();
      await rename(unfinished, whole);
      return result;
    } catch (error) {
      await rm(unfinished, { force: true });
      throw isErrno(error) ? asStoreError(error, unfinished) : error;
    }
  }

  /** Reads a sample. @throws an error of the file system, ENOENT if a user deleted the file */
  async read(name: string): Promise<Uint8Array> {
    return readFile(this.#places(name).whole);
  }

  /**
   * Deletes the sample of a voice. `forget` deletes the row. Deletions run one after another: the rollback of a second deletion
   * would restore the file of the first.
   * @throws the error of `forget` or of the file system; the sample remains then
   */
  async remove<Result>(name: string, forget: () => Result): Promise<Result> {
    const removal = this.#removals.then(() => this.#remove(name, forget));
    this.#removals = removal.catch(() => undefined); // This caller handles the error.
    return removal;
  }

  async #remove<Result>(name: string, forget: () => Result): Promise<Result> {
    const { whole, unfinished } = this.#places(name);
    await rename(whole, unfinished).catch((error: unknown) => {
      if (!isErrno(error, 'ENOENT')) throw error; // A user may have deleted the file.
    });
    try {
      const result = forget();
      await rm(unfinished, { force: true });
      return result;
    } catch (error) {
      await rename(unfinished, whole).catch(() => undefined); // The sample may be missing. `forget` has the cause.
      throw error;
    }
  }

  #places(name: string) {
    const whole = path.join(this.#folder, name);
    return { whole, unfinished: `${whole}.unfinished` };
  }
}
