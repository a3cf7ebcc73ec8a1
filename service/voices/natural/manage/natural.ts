import { setTimeout as delay } from 'node:timers/promises';
import { naturalHint } from '../../../kit/packages.js';
import type { Catalogue } from '../../catalogue/catalogue.js';
import { NaturalVoiceError } from '../../installed/errors.js';
import type { InstallControl } from '../install/install-control.js';
import type { NativeInstallation } from '../install/native-runtime.js';
import type * as jobs from './jobs.js';
import type { InstallJob, InstallJobs } from './jobs.js';
import type * as library from './library.js';
import type { NaturalVoicesOptions, VoiceLibrary, VoiceTask } from './library.js';

/** Milliseconds for the catalogue to notice a change of the folder. */
const NOTICED = 3000;
const INTERVAL = 50;

/** The name of the job of an import. No voice has it. */
export const IMPORT = '';
/** The name of the job that installs or removes the native runtime. */
export const NATIVE = '.native';

/** The control of a task without a cancel and without progress. */
const unwatched: InstallControl = { signal: new AbortController().signal, onProgress: () => undefined };

/** The library of a service, for its routes, with the jobs in the background. Nothing is loaded before the first use. */
export class Natural {
  readonly #options: NaturalVoicesOptions;
  readonly #catalogue: Pick<Catalogue, 'get'>;
  readonly #native: NativeInstallation | undefined;
  #library: VoiceLibrary | undefined;
  #jobs: InstallJobs | undefined;

  constructor(options: NaturalVoicesOptions, catalogue: Pick<Catalogue, 'get'>, native?: NativeInstallation) {
    this.#options = options;
    this.#catalogue = catalogue;
    this.#native = native;
  }

  get library(): VoiceLibrary {
    const { VoiceLibrary }: typeof library = require('./library.js');
    return (this.#library ??= new VoiceLibrary(this.#options, undefined, this.#native));
  }

  get jobs(): InstallJobs {
    const { InstallJobs }: typeof jobs = require('./jobs.js');
    return (this.#jobs ??= new InstallJobs());
  }

  /**
   * Starts a task in the background. Returns the job in progress of the same voice or of the native runtime, if there is one.
   * @throws NaturalVoiceError `busy` for a second import, `full` if too many jobs wait
   */
  start(task: VoiceTask): InstallJob {
    const isImport = task.kind === 'import';
    if (isImport && this.jobs.get(IMPORT)?.isDone === false)
      throw new NaturalVoiceError('busy', 'another import is in progress. Wait for its end, or cancel it');
    const name = isImport ? IMPORT : task.kind === 'native' ? NATIVE : task.name;
    const more = isImport ? { folder: task.from, voice: '' } : {};
    const job = this.jobs.start(name, (control) => this.run(task, control), more);
    if (job === undefined)
      throw new NaturalVoiceError('full', 'too many installations wait: try again later');
    return job;
  }

  /**
   * Does a task. Resolves when the service offers the installed voices, or no longer offers a removed one.
   * @throws NaturalVoiceError
   */
  async run(task: VoiceTask, control: InstallControl = unwatched): Promise<void> {
    const removed = task.kind === 'remove' ? this.#idsOf(task.name) : [];
    const names = await this.library.run(task, control);
    await until(() => removed.every((id) => this.#catalogue.get(id) === undefined));
    if (naturalHint() !== undefined) return;
    const isOffered = (name: string) => this.#idsOf(name).some((id) => this.#catalogue.get(id) !== undefined);
    await until(() => control.signal.aborted || names.every(isOffered));
  }

  /** Cancels the jobs. Resolves after their ends. */
  async close(): Promise<void> {
    await this.#jobs?.close();
  }

  #idsOf(name: string): readonly string[] {
    return this.library.find(name)?.installed?.voiceIds ?? [];
  }
}

/** Waits for a condition, at most `NOTICED` milliseconds. */
async function until(isMet: () => boolean): Promise<void> {
  const end = performance.now() + NOTICED;
  while (!isMet() && performance.now() < end) await delay(INTERVAL);
}
