import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Bytes of audio that stay in memory. */
const MAX_MEMORY = 4 * 2 ** 20;

/** The audio of a piece: in memory, or at a place of the file. */
type Stored = Uint8Array | { at: number; length: number };

/**
 * Keeps audio for repetitions. More than some megabytes go to a temporary file without a name: the operating system deletes it
 * even if this process is killed.
 */
export class Spool {
  readonly #stored: Stored[] = [];
  #inMemory = 0;
  #file: FileHandle | undefined;
  #end = 0;

  /** Adds audio. The spool may keep the given memory. */
  async add(audio: Uint8Array): Promise<void> {
    if (this.#inMemory + audio.length <= MAX_MEMORY) {
      this.#inMemory += audio.length;
      this.#stored.push(audio);
      return;
    }
    this.#file ??= await openUnnamed();
    await this.#file.writeFile(audio);
    this.#stored.push({ at: this.#end, length: audio.length });
    this.#end += audio.length;
  }

  /** Returns the audio with this number. */
  async get(index: number): Promise<Uint8Array> {
    const stored = this.#stored[index];
    if (stored === undefined || this.#file === undefined || stored instanceof Uint8Array)
      return stored instanceof Uint8Array ? stored : new Uint8Array();
    const audio = new Uint8Array(stored.length);
    await this.#file.read(audio, 0, stored.length, stored.at);
    return audio;
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }
}

async function openUnnamed(): Promise<FileHandle> {
  const file = path.join(os.tmpdir(), `herald-${randomUUID()}`);
  const handle = await open(file, 'wx+', 0o600);
  await unlink(file);
  return handle;
}
