import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type * as installedVoice from './installed-voice.js';
import { isVoiceName } from './voice-name.js';

type InstalledVoice = installedVoice.InstalledVoice;

const CHECK_MS = 1000;

/** The complete voices in the folder of the natural voices. Several services may share it, and it may be read-only. */
export class InstalledVoices {
  readonly #checkEvery: number;
  #voices: readonly InstalledVoice[] = [];
  #state = '';
  #checkedAt = -Infinity;

  /** @param checkEvery milliseconds until `list` checks the folder for changes again */
  constructor(
    readonly folder: string,
    checkEvery: number = CHECK_MS,
  ) {
    this.#checkEvery = checkEvery;
  }

  /**
   * Returns the complete voices by name. The result is the same array until the folder changes. Damaged and half voices are
   * left out. A missing or unreadable folder has no voices.
   */
  list(): readonly InstalledVoice[] {
    if (performance.now() - this.#checkedAt < this.#checkEvery) return this.#voices;
    const state = stateOf(this.folder);
    if (state !== this.#state) this.#voices = this.names().flatMap((name) => this.#complete(name));
    this.#state = state;
    this.#checkedAt = performance.now();
    return this.#voices;
  }

  /** Returns the names of all voices in the folder, also of damaged voices. */
  names(): string[] {
    return namesIn(this.folder);
  }

  /** The next `list` checks the folder. Call it after a change. */
  protected forget(): void {
    this.#checkedAt = -Infinity;
  }

  #complete(name: string): InstalledVoice[] {
    // Its schemas take a third of the start of a worker, and a machine without natural voices does not need them.
    const { readVoice }: typeof installedVoice = require('./installed-voice.js');
    try {
      return [readVoice(path.join(this.folder, name))];
    } catch {
      return []; // `VoiceFolder.verify` reports the problem.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isVoiceName).toSorted();
  } catch {
    return [];
  }
}

/** Returns a text that changes if a voice or one of its files changes. */
function stateOf(folder: string): string {
  const places = namesIn(folder).map((name) => path.join(folder, name));
  return JSON.stringify(
    places.map((place) => [place, ...namesOfFiles(place).map((file) => stampOf(path.join(place, file)))]),
  );
}

function namesOfFiles(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

function stampOf(file: string): unknown[] {
  try {
    const { size, mtimeMs, ino } = statSync(file);
    return [file, size, mtimeMs, ino];
  } catch {
    return [file]; // The voice is damaged, or another process removes it.
  }
}
