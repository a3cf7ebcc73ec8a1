import path from 'node:path';
import { naturalHint } from '../../../kit/packages.js';
import { measureVoice } from '../../engines/neural/measure.js';
import { cancelled, NaturalVoiceError } from '../../installed/errors.js';
import type { InstalledVoice } from '../../installed/installed-voice.js';
import { type Measurement, measurementOf, saveMeasurement } from '../../installed/measurements.js';
import { measurementsIn, nativeRuntimeFolder } from '../../installed/folders.js';
import type { InstallControl } from '../install/install-control.js';
import type { VoiceFolder } from '../install/voice-folder.js';

/** Measures the speed and the loudness of installed voices, and saves the measurements. */
export class Measuring {
  /** Folder of the measurements. */
  readonly #folder: string;

  /** @param data data folder, with the measurements and the native runtime */
  constructor(
    private readonly voices: VoiceFolder,
    private readonly data: string,
  ) {
    this.#folder = measurementsIn(data);
  }

  /** Measures a voice unless it is measured. @param isNew whether a voice that cannot speak is removed */
  async ensure(voice: InstalledVoice, work: InstallControl, isNew: boolean): Promise<void> {
    // A measurement in use, or by an earlier version, does not tell which symbols the model learned.
    const isDone = naturalHint() !== undefined || measurementOf(this.#folder, voice)?.untrained !== undefined;
    if (!isDone) await this.measure(voice, work, isNew);
  }

  /** Measures all measured voices again. @throws NaturalVoiceError of the first one that fails */
  async repeatAll(voices: readonly InstalledVoice[], work: InstallControl): Promise<void> {
    const failures: unknown[] = [];
    for (const voice of voices) {
      if (measurementOf(this.#folder, voice) === undefined) continue;
      await this.measure(voice, work).catch((error: unknown) => failures.push(error));
      work.signal.throwIfAborted();
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Measures a voice, also again. @param isNew whether a voice that cannot speak is removed @throws NaturalVoiceError */
  async measure(voice: InstalledVoice, work: InstallControl, isNew = false): Promise<void> {
    const { loudness, ...figures } = await this.#figuresOf(voice, work, isNew);
    this.#checkPresence(voice);
    // A known loudness stays, so that cached audio is as loud as new audio.
    const known = measurementOf(this.#folder, voice)?.loudness;
    saveMeasurement(this.#folder, voice.name, {
      ...figures,
      loudness: { ...loudness, ...known },
    });
  }

  /** Measures a voice. Removes a new voice that cannot speak. */
  async #figuresOf(
    voice: InstalledVoice,
    { signal, onProgress }: InstallControl,
    isNew: boolean,
  ): Promise<Measurement> {
    onProgress({ phase: 'measure', bytes: 0, total: 0 });
    const onMeasured = (bytes: number, total: number) => onProgress({ phase: 'measure', bytes, total });
    try {
      return await measureVoice(voice, signal, onMeasured, nativeRuntimeFolder(this.data));
    } catch (error) {
      if (signal.aborted) throw cancelled(`${voice.name} is installed, but its speed is not measured`);
      this.#checkPresence(voice);
      if (isNew) await this.voices.remove(voice.name);
      const reason = error instanceof Error ? error.message : String(error);
      const fix = isNew ? 'It was removed again. Install another voice' : 'It remains installed. Verify it';
      throw new NaturalVoiceError('invalid', `${voice.name}: cannot speak here (${reason}). ${fix}`);
    }
  }

  /** @throws NaturalVoiceError `cancelled` if a user removed the voice during its measurement */
  #checkPresence({ name, folder }: InstalledVoice): void {
    if (this.voices.names().includes(path.basename(folder))) return;
    throw cancelled(`${name} was removed during its measurement`);
  }
}
