import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { type InstalledVoice, readVoice } from './installed-voice.js';
import { isVoiceName } from './voice-name.js';

export type { InstalledVoice } from './installed-voice.js';
export type { Consent, InstallRecord } from './record.js';

/** Progress of an installation. */
export interface Progress {
  phase: 'card' | 'download' | 'check' | 'measure';
  /** Bytes of all files so far. */
  bytes: number;
  total: number;
}

export interface Work {
  signal: AbortSignal;
  onProgress(progress: Progress): void;
}

/** Milliseconds until the folder is checked for changes again. */
const CHECK_MS = 1000;

/** The folder of the natural voices. Several services may share it, and it may be read-only. */
export class VoiceFolder {
  #voices: readonly InstalledVoice[] = [];
  #state = '';
  #checkedAt = -Infinity;

  constructor(readonly folder: string) {}

  /**
   * Returns the complete voices by name. The result is the same array until the folder changes. Damaged and half voices are
   * left out. A missing or unreadable folder has no voices.
   */
  list(): readonly InstalledVoice[] {
    if (performance.now() - this.#checkedAt < CHECK_MS) return this.#voices;
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

  #complete(name: string): InstalledVoice[] {
    try {
      return [readVoice(path.join(this.folder, name))];
    } catch {
      return []; // `verify` reports the problem.
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
  const stats = statSync(file, { throwIfNoEntry: false });
  return [file, stats?.size, stats?.mtimeMs, stats?.ino];
}
