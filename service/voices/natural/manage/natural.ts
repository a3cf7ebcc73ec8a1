import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Catalogue } from '../../catalogue/catalogue.js';
import type * as jobs from './jobs.js';
import type { NativeInstallation, NativeState } from '../install/native-runtime.js';
import type * as native from '../install/native-runtime.js';
import type { InstallControl } from '../install/install-control.js';
import type { InstallJob, InstallJobs } from './jobs.js';
import type * as open from './open.js';
import type { NaturalVoiceAccess, NaturalVoicesOptions } from './open.js';

/** Milliseconds for the catalogue to notice a change of the folder. */
const NOTICED = 3000;
const INTERVAL = 50;

/** The import of a folder, as a reply (docs/service.md#natural-voices). */
export interface FolderImport extends InstallJob {
  /** Absolute path. */
  folder: string;
  /** The name of the current voice; '' before the first one. */
  voice: string;
}

/** The result of the start of an import. `full`: too many installations wait, or the service closes. */
export type ImportStart = { kind: 'started'; job: FolderImport } | { kind: 'busy' } | { kind: 'full' };

/** The name of the job of an import. No voice has it. */
const IMPORT = '';
/** The name of the job that installs or removes the native runtime. */
const NATIVE = '.native';

/** The natural voices of a service, for its routes. Nothing is loaded before the first use. */
export class Natural {
  readonly #options: NaturalVoicesOptions;
  readonly #catalogue: Pick<Catalogue, 'get'>;
  #voices: NaturalVoiceAccess | undefined;
  #jobs: InstallJobs | undefined;
  #import = { folder: '', voice: '' };
  #native: NativeInstallation | undefined;

  constructor(options: NaturalVoicesOptions, catalogue: Pick<Catalogue, 'get'>, native?: NativeInstallation) {
    this.#options = options;
    this.#catalogue = catalogue;
    this.#native = native;
  }

  get voices(): NaturalVoiceAccess {
    const { openNaturalVoices }: typeof open = require('./open.js');
    return (this.#voices ??= openNaturalVoices(this.#options));
  }

  get jobs(): InstallJobs {
    const { InstallJobs }: typeof jobs = require('./jobs.js');
    return (this.#jobs ??= new InstallJobs());
  }

  /**
   * Starts the installation of a voice, or returns the one in progress.
   * @param card SHA-256 digest of the model card that the user accepted
   * @returns undefined if too many installations wait
   */
  install(name: string, card: string): InstallJob | undefined {
    return this.jobs.start(name, (control) => this.#install(name, card, control));
  }

  /** Starts to measure an installed voice again, like `install`. */
  measure(name: string): InstallJob | undefined {
    return this.jobs.start(name, (control) => this.voices.manager.measureAgain(name, control));
  }

  /** Starts the import of the voices in a folder. */
  startImport(from: string): ImportStart {
    if (this.importJob?.isDone === false) return { kind: 'busy' };
    const folder = path.resolve(from);
    const job = this.jobs.start(IMPORT, (control) => this.#importFrom(folder, control));
    if (job === undefined) return { kind: 'full' };
    this.#import = { folder, voice: '' };
    return { kind: 'started', job: { ...job, ...this.#import } };
  }

  /** The present or the last import. */
  get importJob(): FolderImport | undefined {
    const job = this.jobs.get(IMPORT);
    return job && { ...job, ...this.#import };
  }

  /** Cancels the import and forgets it. Resolves with false if there is none, else after its end. */
  cancelImport(): Promise<boolean> {
    return this.jobs.cancel(IMPORT);
  }

  /** Returns the state of the native runtime, with its present or last job. */
  async nativeState(): Promise<NativeState & { job: InstallJob | null }> {
    return { ...(await this.#runtime.state()), job: this.jobs.get(NATIVE) ?? null };
  }

  /**
   * Installs or removes the native runtime, and measures the voices again. Returns the job in progress if there is one.
   * @returns undefined if too many installations wait
   */
  changeNative(change: 'install' | 'remove'): InstallJob | undefined {
    return this.jobs.start(NATIVE, async (control) => {
      await this.#runtime[change](control);
      await this.voices.manager.remeasure(control);
    });
  }

  /** Cancels the job of the native runtime and forgets it. Resolves with false if there is none, else after its end. */
  cancelNative(): Promise<boolean> {
    return this.jobs.cancel(NATIVE);
  }

  get #runtime(): NativeInstallation {
    const { NativeInstallation }: typeof native = require('../install/native-runtime.js');
    return (this.#native ??= new NativeInstallation(this.#options.data));
  }

  /**
   * Removes a voice. Resolves when the service no longer offers it.
   * @throws NaturalVoiceError
   */
  async remove(name: string): Promise<void> {
    const ids = this.#idsOf(name);
    await this.voices.manager.remove(name);
    await until(() => ids.every((id) => this.#catalogue.get(id) === undefined));
  }

  /** Cancels the installations. Resolves after their ends. */
  async close(): Promise<void> {
    await this.#jobs?.close();
  }

  /** The next request can use the voice. */
  async #install(name: string, card: string, control: InstallControl): Promise<void> {
    await this.voices.manager.install(name, { card, ...control });
    await this.#offered([name], control.signal);
  }

  async #importFrom(folder: string, control: InstallControl): Promise<void> {
    const onVoice = (voice: string) => (this.#import = { folder, voice });
    const voices = await this.voices.manager.importFrom(folder, { ...control, onVoice });
    await this.#offered(
      voices.map(({ name }) => name),
      control.signal,
    );
  }

  /** Resolves when the service offers the voices, or when the signal aborts. */
  async #offered(names: readonly string[], signal: AbortSignal): Promise<void> {
    if (this.voices.hint !== undefined) return;
    const isOffered = (name: string) => this.#idsOf(name).some((id) => this.#catalogue.get(id) !== undefined);
    await until(() => signal.aborted || names.every(isOffered));
  }

  #idsOf(name: string): readonly string[] {
    const voice = this.voices.manager.available().find((voice) => voice.name === name);
    return voice?.installed?.voiceIds ?? [];
  }
}

/** Waits for a condition, at most `NOTICED` milliseconds. */
async function until(isMet: () => boolean): Promise<void> {
  const end = performance.now() + NOTICED;
  while (!isMet() && performance.now() < end) await delay(INTERVAL);
}
