import { setMaxListeners } from 'node:events';
import type { InstallProgress, InstallControl } from '../install/install-control.js';
import { NaturalVoiceError, type NaturalVoiceFailure } from '../../installed/errors.js';
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
  /** The kind of a failure that has one, such as `network`. A page describes it in its own language. */
  kind: NaturalVoiceFailure | null;
  isDone: boolean;
  /** Absolute path of an import. */
  folder?: string;
  /** The name of the current voice of an import; '' before the first one. */
  voice?: string;
}

/** The work of a job. */
type Work = (control: InstallControl) => Promise<unknown>;

/** Maximum number of installations at the same time. Further ones wait. */
export const MAX_RUNNING = 2;
/** Maximum number of installations that run or wait. */
export const MAX_JOBS = 50;
/** Milliseconds for which a finished job stays readable. */
const KEEP = 600_000;

const NEW: InstallJob = { phase: 'card', bytes: 0, total: 0, error: null, kind: null, isDone: false };

interface Entry {
  job: InstallJob;
  controller: AbortController;
  /** Resolves at the end of the job. */
  ended: Promise<void>;
  endedAt?: number;
}

/** The installations that a page or the voice picker started: at most one for each name, of a voice or of an import. */
export class InstallJobs {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;
  readonly #places = new Semaphore(MAX_RUNNING);
  readonly #closing = new AbortController();

  /** @param now returns milliseconds of a monotonic clock */
  constructor(now = () => performance.now()) {
    this.#now = now;
    setMaxListeners(0, this.#closing.signal); // Each job adds a listener.
  }

  /**
   * Starts the installation of a voice, or an import. Returns the current job if one is in progress.
   * @param more further fields of its state
   * @returns undefined if too many installations wait
   */
  start(name: string, work: Work, more: Partial<InstallJob> = {}): InstallJob | undefined {
    const current = this.get(name);
    if (current?.isDone === false) return current;
    const isFull = [...this.#entries.values()].filter(({ job }) => !job.isDone).length >= MAX_JOBS;
    if (isFull || this.#closing.signal.aborted) return undefined;
    const controller = new AbortController();
    const job: InstallJob = { ...NEW, ...more };
    const entry: Entry = { job, controller, ended: Promise.resolve() };
    this.#entries.set(name, entry);
    entry.ended = this.#run(work, entry).then(() => {
      entry.endedAt = this.#now();
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

  async #run(work: Work, { job, controller }: Entry): Promise<void> {
    const signal = AbortSignal.any([controller.signal, this.#closing.signal]);
    const onProgress = (progress: InstallProgress) => void Object.assign(job, progress);
    try {
      await this.#places.take(signal);
      try {
        signal.throwIfAborted();
        await work({ signal, onProgress });
      } finally {
        this.#places.leave();
      }
    } catch (error) {
      job.error = error instanceof Error ? error.message : String(error);
      job.kind = error instanceof NaturalVoiceError ? error.kind : null;
    }
    job.isDone = true;
  }

  #forgetOld(): void {
    const oldest = this.#now() - KEEP;
    for (const [name, { endedAt = Infinity }] of this.#entries) {
      if (endedAt <= oldest) this.#entries.delete(name);
    }
  }
}
