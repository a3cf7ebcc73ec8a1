import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ServiceError } from '../service-error.js';

/** An own voice as it lies on disk, in DIR/clones/ID/voice.json beside its sample. */
const clone = z.object({
  voice_id: z.string().regex(/^clone-[0-9a-f]{16}$/),
  name: z.string(),
  description: z.string().nullable(),
  /** The preset voice that it is spoken with. */
  preset: z.string(),
  /** Semitones between the two. */
  pitchShift: z.number(),
  /** ISO time; the order of the list. */
  created: z.string(),
});

export type Clone = Readonly<z.output<typeof clone>>;

/** What a caller brings; the store adds identifier and time. */
export type NewClone = Omit<Clone, 'voice_id' | 'created'>;

/** What is left out stays as it is. */
interface Changes {
  name?: string | undefined;
  description?: string | undefined;
}

/** Bounds memory and start time, not taste. */
export const MAX_CLONES = 1000;

/** Folders that are being made or removed; what a crash leaves of them goes at the next start. */
const UNFINISHED = '.';

/** All own voices. Each is a folder that appears and disappears whole; changes are made one after the other. */
export class CloneStore {
  readonly #folder: string;
  readonly #clones: Map<string, Clone>;
  #lastChange: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, clones: readonly Clone[]) {
    this.#folder = folder;
    this.#clones = new Map(clones.map((one) => [one.voice_id, one]));
  }

  /** Reads what is there. A folder without a valid voice.json is left alone and not shown. */
  static async open(folder: string): Promise<CloneStore> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = await readdir(folder);
    const unfinished = names.filter((name) => name.startsWith(UNFINISHED));
    await Promise.all(unfinished.map((name) => rm(path.join(folder, name), { recursive: true })));
    const read = await Promise.all(names.map((name) => readClone(path.join(folder, name))));
    const clones = read.filter((one) => one !== undefined);
    return new CloneStore(
      folder,
      clones.sort((a, b) => a.created.localeCompare(b.created)),
    );
  }

  /** In the order of their making. */
  list(): Clone[] {
    return [...this.#clones.values()];
  }

  get(id: string): Clone | undefined {
    return this.#clones.get(id);
  }

  /** @throws ServiceError 403 when there is no room for another */
  add(wanted: NewClone, sample: Uint8Array, extension: string): Promise<Clone> {
    return this.#inTurn(async () => {
      if (this.#clones.size >= MAX_CLONES)
        throw new ServiceError(403, `no more than ${MAX_CLONES} own voices`);
      const id = `clone-${randomBytes(8).toString('hex')}`;
      const added = { ...wanted, voice_id: id, created: new Date().toISOString() };
      const draft = path.join(this.#folder, UNFINISHED + id);
      await mkdir(draft, { mode: 0o700 });
      await writeFile(path.join(draft, `sample.${extension}`), sample, { mode: 0o600 });
      await writeVoice(draft, added);
      await rename(draft, path.join(this.#folder, id));
      this.#clones.set(id, added);
      return added;
    });
  }

  /** Changes name or description; undefined where there is no such voice. */
  edit(id: string, { name, description }: Changes): Promise<Clone | undefined> {
    return this.#inTurn(async () => {
      const before = this.#clones.get(id);
      if (before === undefined) return undefined;
      const after = {
        ...before,
        name: name ?? before.name,
        description: description ?? before.description,
      };
      await writeVoice(path.join(this.#folder, id), after);
      this.#clones.set(id, after);
      return after;
    });
  }

  /** Whether there was such a voice. */
  remove(id: string): Promise<boolean> {
    return this.#inTurn(async () => {
      if (!this.#clones.has(id)) return false;
      const doomed = path.join(this.#folder, UNFINISHED + id);
      await rename(path.join(this.#folder, id), doomed);
      this.#clones.delete(id);
      await rm(doomed, { recursive: true });
      return true;
    });
  }

  /** Settles when all changes are on disk. */
  async close(): Promise<void> {
    await this.#lastChange;
  }

  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = this.#lastChange.then(change);
    this.#lastChange = result.catch(() => undefined);
    return result;
  }
}

async function readClone(folder: string): Promise<Clone | undefined> {
  try {
    return clone.parse(JSON.parse(await readFile(path.join(folder, 'voice.json'), 'utf8')));
  } catch {
    return undefined; // Not ours, or half a folder: nothing to speak with.
  }
}

/** A rename is atomic: the file is the old one or the new one. */
async function writeVoice(folder: string, voice: Clone): Promise<void> {
  const draft = path.join(folder, 'voice.json.new');
  await writeFile(draft, `${JSON.stringify(voice, undefined, 2)}\n`, { mode: 0o600 });
  await rename(draft, path.join(folder, 'voice.json'));
}
