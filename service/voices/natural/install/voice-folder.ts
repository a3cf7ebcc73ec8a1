import { rm } from 'node:fs/promises';
import path from 'node:path';
import { NaturalVoiceError } from '../../installed/errors.js';
import type { InstalledVoice } from '../../installed/installed-voice.js';
import { InstalledVoices } from '../../installed/installed-voices.js';
import type { Consent } from '../../installed/record.js';
import { checkVoiceName } from '../../installed/voice-name.js';
import type { VoiceSource } from '../transfer/voice-source.js';
import { exportVoice } from './archive.js';
import { type ImportOptions, importVoices } from './import.js';
import { moveAway, removeFolder } from './disk.js';
import { installFromSource, type VoiceEntry } from './install.js';
import { removeVoiceLeftovers } from './leftovers.js';
import { placesOf } from './places.js';
import { voiceProblems } from './problems.js';
import { withVoiceLock } from './voice-lock.js';
import type { InstallControl } from './install-control.js';

/** The folder of the natural voices, with the work that changes it. */
export class VoiceFolder extends InstalledVoices {
  /**
   * Downloads and checks a voice. It appears in the folder at once, after all checks. Another process may install other voices
   * at the same time.
   * @throws NaturalVoiceError
   */
  async install(
    entry: VoiceEntry,
    source: VoiceSource,
    consent: Consent,
    work: InstallControl,
  ): Promise<InstalledVoice> {
    const installed = await installFromSource({ folder: this.folder, entry, source, consent, work });
    this.forget();
    return installed;
  }

  /**
   * Copies all voices below a folder, and checks them.
   * @throws NaturalVoiceError the first failure, after the other voices were imported
   */
  async importFrom(folder: string, options: ImportOptions): Promise<InstalledVoice[]> {
    return importVoices(this.folder, folder, options).finally(() => this.forget());
  }

  /**
   * Checks the files of a voice.
   * @returns the problems; empty for a whole voice
   * @throws NaturalVoiceError `not-found`
   */
  async verify(name: string, signal: AbortSignal = new AbortController().signal): Promise<string[]> {
    return voiceProblems(this.#placeOf(name), signal);
  }

  /** Writes a whole voice to one file. @throws NaturalVoiceError `not-found`, or `invalid` for a damaged voice */
  async exportTo(name: string, file: string, signal: AbortSignal): Promise<void> {
    const problems = await this.verify(name, signal);
    if (problems.length > 0)
      throw new NaturalVoiceError('invalid', `${name}: damaged (${problems.join('; ')}). Install it again`);
    const place = this.#placeOf(name);
    await exportVoice(place, path.basename(place), file, signal);
  }

  /** Removes a voice. It disappears at once, and its files are deleted as soon as possible. @throws NaturalVoiceError */
  async remove(name: string): Promise<void> {
    await removeVoice(this.folder, path.basename(this.#placeOf(name))).finally(() => this.forget());
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
}

/**
 * Removes a voice and its unfinished download. The voice disappears by a rename, so that no other process sees half of it. A
 * process that has loaded the model keeps speaking.
 * @throws NaturalVoiceError `busy`, `read-only` or `disk`
 */
async function removeVoice(folder: string, name: string): Promise<void> {
  await withVoiceLock(folder, name, new AbortController().signal, async () => {
    await removeFolder(await moveAway(folder, name));
    await rm(placesOf(folder, name).draft, { recursive: true, force: true });
  });
  await removeVoiceLeftovers(folder);
}
