import type * as jobs from './jobs.js';
import type { InstallJobs } from './jobs.js';
import type { NaturalVoices } from './management.js';
import type * as open from './open.js';
import type { NaturalVoicesOptions } from './open.js';

/** The natural voices of a service, for its routes. Nothing is loaded before the first use. */
export class Natural {
  readonly #options: NaturalVoicesOptions;
  #voices: NaturalVoices | undefined;
  #jobs: InstallJobs | undefined;

  constructor(options: NaturalVoicesOptions) {
    this.#options = options;
  }

  get voices(): NaturalVoices {
    const { openNaturalVoices }: typeof open = require('./open.js');
    return (this.#voices ??= openNaturalVoices(this.#options));
  }

  get jobs(): InstallJobs {
    const { InstallJobs }: typeof jobs = require('./jobs.js');
    const { manager } = this.voices;
    return (this.#jobs ??= new InstallJobs({
      install: (name, work) => manager.install(name, work),
      describe: (error) => (error instanceof Error ? error.message : String(error)),
    }));
  }

  /** Cancels the installations. Resolves after their ends. */
  async close(): Promise<void> {
    await this.#jobs?.close();
  }
}
