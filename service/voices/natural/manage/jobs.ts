import { setMaxListeners } from 'node:events';
import type { InstallProgress, InstallControl } from '../install/install-control.js';
import { Semaphore } from '../../../kit/semaphore.js';

/** The state of an installation, as a reply (docs/service.md#natural-voices). */
export interface InstallJob {
  phase: InstallProgress['phase'];
  /** Bytes that have arrived in this phase. */
  bytes: number;
  /** Bytes of the whole phase; 0 if unknown. */
  total: number;
  /** The reason of a failure. */
  error: string | null;
  isDone: boolean;
}

export interface InstallWork extends InstallControl {
  /** SHA-256 digest of the model card that the user accepted. */
  card: string;
}

export interface JobOptions {
  install(name: string, work: InstallWork): Promise<unknown>;
  /** Converts the error of an installation to a text for the user. */
  describe(error: unknown): string;
  /** Returns milliseconds of a monotonic clock. */
  now?: () => number;
}

/** Maximum number of installations at the same time. Further ones wait. */
export const MAX_RUNNING = 2;
/** Maximum number of installations that run or wait. */
export const MAX_JOBS = 50;
/** Milliseconds for which a finished job stays readable. */
const KEEP = 600_000;

interface Entry {
  job: InstallJob;
  controller: AbortController;
  /** Resolves at the end of the job. */
  ended: Promise<void>;
  endedAt?: number;
}

/** The installations of natural voices that a page or the voice picker started: at most one per voice. */
export class InstallJobs {
  readonly #entries = new Map<string, Entry>();
  readonly #options: Required<JobOptions>;
  readonly #places = new Semaphore(MAX_RUNNING);
  readonly #closing = new AbortController();

  constructor(options: JobOptions) {
    this.#options = { now: () => performance.now(), ...options };
    setMaxListeners(0, this.#closing.signal); // Each job adds a listener.
  }

  /**
   * Starts the installation of a voice. Returns the current job if the voice is being installed.
   * @returns undefined if too many installations wait
   */
  start(name: string, card: string): InstallJob | undefined {
    const current = this.get(name);
    if (current?.isDone === false) return current;
    const isFull = [...this.#entries.values()].filter(({ job }) => !job.isDone).length >= MAX_JOBS;
    if (isFull || this.#closing.signal.aborted) return undefined;
    const controller = new AbortController();
    const job: InstallJob = { phase: 'card', bytes: 0, total: 0, error: null, isDone: false };
    const entry: Entry = { job, controller, ended: Promise.resolve() };
    this.#entries.set(name, entry);
    entry.ended = this.#run(name, card, entry).then(() => {
      entry.endedAt = this.#options.now();
    });
    return { ...job };
  }

  /** Returns the job of a voice. A job ends to exist 10 minutes after its end. */
  get(name: string): InstallJob | undefined {
    this.#forgetOld();
    const entry = this.#entries.get(name);
    return entry && { ...entry.job };
  }

  /** Cancels a job and forgets it. Resolves with false if the voice has no job, else after the end of the job. */
  async cancel(name: string): Promise<boolean> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return false;
    entry.controller.abort();
    await entry.ended;
    if (this.#entries.get(name) === entry) this.#entries.delete(name);
    return true;
  }

  /** Cancels all jobs. Resolves after their ends. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#entries.values()].map(({ ended }) => ended));
  }

  async #run(name: string, card: string, { job, controller }: Entry): Promise<void> {
    const signal = AbortSignal.any([controller.signal, this.#closing.signal]);
    const onProgress = ({ phase, bytes, total }: InstallProgress) =>
      void Object.assign(job, { phase, bytes, total });
    try {
      await this.#places.take(signal);
      try {
        signal.throwIfAborted();
        await this.#options.install(name, { card, signal, onProgress });
      } finally {
        this.#places.leave();
      }
    } catch (error) {
      job.error = this.#options.describe(error);
    }
    job.isDone = true;
  }

  #forgetOld(): void {
    const oldest = this.#options.now() - KEEP;
    for (const [name, { endedAt = Infinity }] of this.#entries) {
      if (endedAt <= oldest) this.#entries.delete(name);
    }
  }
}
