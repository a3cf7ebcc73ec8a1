import { setTimeout as delay } from 'node:timers/promises';
import type { Catalogue } from '../../catalogue/catalogue.js';
import type * as jobs from './jobs.js';
import type { InstallJobs, InstallWork } from './jobs.js';
import type * as open from './open.js';
import type { NaturalVoiceAccess, NaturalVoicesOptions } from './open.js';

/** Milliseconds for the catalogue to notice a change of the folder. */
const NOTICED = 3000;
const INTERVAL = 50;

/** The natural voices of a service, for its routes. Nothing is loaded before the first use. */
export class Natural {
  readonly #options: NaturalVoicesOptions;
  readonly #catalogue: Pick<Catalogue, 'get'>;
  #voices: NaturalVoiceAccess | undefined;
  #jobs: InstallJobs | undefined;

  constructor(options: NaturalVoicesOptions, catalogue: Pick<Catalogue, 'get'>) {
    this.#options = options;
    this.#catalogue = catalogue;
  }

  get voices(): NaturalVoiceAccess {
    const { openNaturalVoices }: typeof open = require('./open.js');
    return (this.#voices ??= openNaturalVoices(this.#options));
  }

  get jobs(): InstallJobs {
    const { InstallJobs }: typeof jobs = require('./jobs.js');
    return (this.#jobs ??= new InstallJobs({
      install: (name, work) => this.#install(name, work),
      describe: (error) => (error instanceof Error ? error.message : String(error)),
    }));
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

  /** Resolves when the service offers the voice, so that the next request can use it. */
  async #install(name: string, work: InstallWork): Promise<void> {
    await this.voices.manager.install(name, work);
    if (this.voices.hint !== undefined) return;
    await until(() => this.#idsOf(name).some((id) => this.#catalogue.get(id) !== undefined));
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
