/** Follows the installations on the service until they end. */
import { type Job, type NaturalVoice, textsOf } from '@herald-speech/browser';
import { ApiError } from '../lib/api.js';
import { text } from '../lib/text.js';
import type { NaturalService } from './natural-service.js';
import { failureText } from './words.js';

/** Milliseconds between two requests for the progress. */
const INTERVAL = 500;
/** Milliseconds until the next request if the service did not reply. */
const PAUSE = 3000;

/** The names of the voices in installation. A reloaded page finds out that the service has lost them. */
const STORED = 'herald-installing';

export type Installation =
  | { kind: 'working'; job: Job; isSilent: boolean }
  | { kind: 'failed'; message: string };

export class Installations {
  readonly #all = new Map<string, Installation>(stored());
  /** The voices whose installation the service is cancelling. */
  readonly #ending = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param onProgress called with the name of a voice after its progress changed
   * @param onEnd called after an installation ended; must load the list of voices and call `update`
   */
  constructor(
    private readonly service: Pick<NaturalService, 'job' | 'endJob'>,
    private readonly onProgress: (name: string) => void,
    private readonly onEnd: () => Promise<void>,
  ) {}

  get(name: string): Installation | undefined {
    return this.#all.get(name);
  }

  /** Takes the installations from a list of all voices. Returns the voices whose installation was completed since the last call. */
  update(voices: readonly NaturalVoice[]): NaturalVoice[] {
    const before = this.#working();
    for (const voice of voices) this.#take(voice, before.has(voice.name));
    this.#follow();
    return voices.filter(({ name, installed }) => installed && before.has(name) && !this.#all.has(name));
  }

  #take({ name, job, installed }: NaturalVoice, wasWorking: boolean): void {
    if (this.#ending.has(name)) return;
    if (job && !job.isDone) this.#all.set(name, { kind: 'working', job, isSilent: false });
    else if (installed) this.#all.delete(name);
    else if (job?.error) this.#fail(name, failureText(job));
    else if (wasWorking) this.#fail(name, text('natural.interrupted'));
  }

  #fail(name: string, message: string): void {
    this.#all.set(name, { kind: 'failed', message });
  }

  /** Follows an installation that the service has started. */
  start(name: string, job: Job): void {
    this.#all.set(name, { kind: 'working', job, isSilent: false });
    this.#follow();
  }

  /** Cancels an installation, or drops a failure. */
  async end(name: string): Promise<void> {
    this.#ending.add(name);
    try {
      await this.service.endJob(name);
      this.#all.delete(name);
      this.#store();
    } finally {
      this.#ending.delete(name);
    }
  }

  #working(): Set<string> {
    return new Set([...this.#all].filter(([, { kind }]) => kind === 'working').map(([name]) => name));
  }

  #store(): void {
    const names = [...this.#working()];
    if (names.length === 0) sessionStorage.removeItem(STORED);
    else sessionStorage.setItem(STORED, JSON.stringify(names));
  }

  #follow(pause = INTERVAL): void {
    this.#store();
    clearTimeout(this.#timer);
    if (this.#working().size > 0) this.#timer = setTimeout(() => void this.#poll(), pause);
  }

  /** Reads all progress once. Without access it stops; `update` continues after the next sign-in. */
  async #poll(): Promise<void> {
    const names = [...this.#working()].filter((name) => !this.#ending.has(name));
    const results = await Promise.all(names.map((name) => this.#read(name)));
    if (results.includes('locked')) return;
    const isListed = !results.includes('ended') || (await this.onEnd().then(() => true, isOpen));
    if (isListed) this.#follow(results.includes('silent') ? PAUSE : INTERVAL);
  }

  async #read(name: string): Promise<'working' | 'ended' | 'silent' | 'locked'> {
    try {
      const job = await this.service.job(name);
      if (this.#ending.has(name)) return 'working';
      if (job === undefined || job.isDone) return 'ended';
      this.#show(name, job, false);
      return 'working';
    } catch (error) {
      if (!isOpen(error)) return 'locked';
      const installation = this.#all.get(name);
      if (installation?.kind === 'working') this.#show(name, installation.job, true);
      return 'silent';
    }
  }

  /** The user may have cancelled the installation during the request. */
  #show(name: string, job: Job, isSilent: boolean): void {
    if (this.#all.get(name)?.kind !== 'working') return;
    this.#all.set(name, { kind: 'working', job, isSilent });
    this.onProgress(name);
  }
}

/** Returns whether the session or the key is still valid after an error. */
function isOpen(error: unknown): boolean {
  return !(error instanceof ApiError && error.status === 401);
}

function stored(): [string, Installation][] {
  const names: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '[]');
  const job: Job = { phase: '', bytes: 0, total: 0, error: '', kind: '', isDone: false };
  return textsOf(names).map((name) => [name, { kind: 'working', job, isSilent: false }]);
}
