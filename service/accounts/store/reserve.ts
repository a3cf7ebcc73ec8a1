import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { PRIVATE_FILE } from '@herald-speech/client/files';

/** Bytes. Enough for the log of some deletions: each takes a few pages of 4 kB. */
const RESERVE_BYTES = 256 * 1024;
/** Bytes of one write. */
const PIECE = 4096;

/** A file that keeps disk space, so that deletions work on a full disk. Failures have no effect: a full disk is expected. */
export class Reserve {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Extends the file to its size, as far as the disk has space. Its bytes are random, because a disk may compress zeros. */
  fill(): void {
    const size = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    if (size >= RESERVE_BYTES) return;
    try {
      const handle = openSync(this.#file, 'a', PRIVATE_FILE);
      try {
        for (let at = size; at < RESERVE_BYTES; at += PIECE) writeSync(handle, randomBytes(PIECE));
      } finally {
        closeSync(handle);
      }
    } catch {
      // The disk is full. A smaller reserve remains.
    }
  }

  /** Deletes the file, which frees its space. */
  release(): void {
    try {
      rmSync(this.#file, { force: true });
    } catch {
      // The folder is not writable. The deletion that needs the space reports it.
    }
  }
}
