import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type * as importing from './import.js';
import type { ImportOptions } from './import.js';
import type * as installing from './install.js';
import type { VoiceEntry } from './install.js';
import { problemsOf } from './problems.js';
import type * as removing from './remove.js';
import type { Work } from './work.js';
import { type InstalledVoice, readVoice } from '../../installed/installed-voice.js';
import { NaturalVoiceError } from '../../installed/errors.js';
import type { Consent } from '../../installed/record.js';
import { checkVoiceName, isVoiceName } from '../../installed/voice-name.js';
import type { VoiceSource } from '../transfer/voice-source.js';

export type { InstalledVoice } from '../../installed/installed-voice.js';
export type { VoiceEntry } from './install.js';
export type { Progress, Work } from './work.js';
export type { Consent, InstallRecord } from '../../installed/record.js';

const CHECK_MS = 1000;

/**
 * The folder of the natural voices. Several services may share it, and it may be read-only. A service mostly lists voices, so
 * the modules of other work are loaded on first use.
 */
export class VoiceFolder {
  #voices: readonly InstalledVoice[] = [];
  #state = '';
  #checkedAt = -Infinity;

  /** @param checkEvery milliseconds until `list` checks the folder for changes again */
  constructor(
    readonly folder: string,
    private readonly checkEvery: number = CHECK_MS,
  ) {}

  /**
   * Returns the complete voices by name. The result is the same array until the folder changes. Damaged and half voices are
   * left out. A missing or unreadable folder has no voices.
   */
  list(): readonly InstalledVoice[] {
    if (performance.now() - this.#checkedAt < this.checkEvery) return this.#voices;
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

  /**
   * Downloads and checks a voice. It appears in the folder at once, after all checks. Another process may install other voices
   * at the same time.
   * @throws NaturalVoiceError
   */
  async install(
    entry: VoiceEntry,
    source: VoiceSource,
    consent: Consent,
    work: Work,
  ): Promise<InstalledVoice> {
    const { installVoice }: typeof installing = require('./install.js');
    const installed = await installVoice({ folder: this.folder, entry, source, consent, work });
    return this.#changed(installed);
  }

  /**
   * Copies all voices below a folder, and checks them.
   * @throws NaturalVoiceError the first failure, after the other voices were imported
   */
  async importFrom(folder: string, options: ImportOptions): Promise<InstalledVoice[]> {
    const { importVoices }: typeof importing = require('./import.js');
    return importVoices(this.folder, folder, options).finally(() => this.#changed(undefined));
  }

  /**
   * Checks the files of a voice.
   * @returns the problems; empty for a whole voice
   * @throws NaturalVoiceError `not-found`
   */
  async verify(name: string, signal: AbortSignal = new AbortController().signal): Promise<string[]> {
    return problemsOf(this.#placeOf(name), signal);
  }

  /** Removes a voice. It disappears at once, and its files are deleted as soon as possible. @throws NaturalVoiceError */
  async remove(name: string): Promise<void> {
    const { removeVoice }: typeof removing = require('./remove.js');
    await removeVoice(this.folder, path.basename(this.#placeOf(name))).finally(() =>
      this.#changed(undefined),
    );
  }

  #placeOf(name: string): string {
    const wanted = checkVoiceName(name).normalize();
    const found = this.names().find((one) => one.normalize() === wanted);
    if (found !== undefined) return path.join(this.folder, found);
    throw new NaturalVoiceError(
      'not-found',
      `${name}: not installed in ${this.folder}. List the installed voices`,
    );
  }

  /** The next `list` checks the folder. */
  #changed<Value>(value: Value): Value {
    this.#checkedAt = -Infinity;
    return value;
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
  try {
    const { size, mtimeMs, ino } = statSync(file);
    return [file, size, mtimeMs, ino];
  } catch {
    return [file]; // The voice is damaged, or another process removes it.
  }
}
