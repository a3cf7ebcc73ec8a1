import { EventEmitter, once } from 'node:events';
import type { ReadableStream } from 'node:stream/web';
import { limitedTo } from '@herald-speech/client/abort';
import type { SampleFacts } from '../../kit/audio/sample.js';
import type { NaturalFolders } from '../installed/folders.js';
import {
  type WorkerJob,
  type SpeakJob,
  type SynthesizedAudio,
  toSampleFacts,
  toSynthesizedAudio,
} from './jobs.js';
import { workerPoolDefaults, type WorkerPoolLimits } from './limits.js';
import { SpeechProcess } from './speech-process.js';
import { PreemptedError, WorkerError } from '../../kit/worker-error.js';

export interface SynthesisOptions extends Partial<WorkerPoolLimits> {
  /**
   * Milliseconds without a job after which the speech process and its workers end, and a model leaves. The next job starts them
   * again. Default: 60 seconds, and 5 minutes after a natural voice has spoken, because its model takes a second to load.
   */
  idleTimeout?: number;
  /** Whether a prediction with a natural voice loads its model. */
  warmUp?: boolean;
  /** Whether the names of emoji are spoken. Otherwise, emoji are silent. */
  emoji?: boolean;
  /** Milliseconds for the start of the speech process with the `prepare` of its engines. */
  startTimeLimit?: number;
}

export const synthesisDefaults = {
  ...workerPoolDefaults,
  idleTimeout: 60_000,
  modelIdleTimeout: 300_000,
  warmUp: true,
  emoji: false,
};

/** Milliseconds for the start of the built-in engines, which need no preparation. */
const START_TIME_LIMIT = 15_000;
/** Milliseconds for the start of additional engines, whose `prepare` may load a large model (docs/engines.md). */
const PREPARE_TIME_LIMIT = 600_000;

/** Seconds of audio that a caller has left. With less, its text may take the last free worker. */
const MIN_LEFT = 5;
/** Maximum number of texts that start before the next chunk of a text, so that short texts never stop a long one. */
const MAX_EARLIER_STARTS = 16;

/** Speaks and analyses samples in a child process, which starts with the first job and ends when idle. */
export class SpeechSynthesis {
  readonly #modules: readonly string[];
  readonly #natural: NaturalFolders | undefined;
  readonly #options: Required<SynthesisOptions> & { modelIdleTimeout: number };
  readonly #processes = new Set<SpeechProcess>();
  readonly #settled = new EventEmitter();
  #last: SpeechProcess | undefined;
  /** Number of texts that have started. */
  #starts = 0;
  /** Ends the job of `speakAside`. */
  #aside: AbortController | undefined;
  #closed = false;

  private constructor(
    modules: readonly string[],
    options: SynthesisOptions,
    natural: NaturalFolders | undefined,
  ) {
    this.#settled.setMaxListeners(0); // Each job that waits for a place adds a listener and removes it.
    this.#modules = modules;
    this.#natural = natural;
    const startTimeLimit = modules.length > 0 ? PREPARE_TIME_LIMIT : START_TIME_LIMIT;
    const { idleTimeout: modelIdleTimeout = synthesisDefaults.modelIdleTimeout } = options;
    this.#options = { ...synthesisDefaults, startTimeLimit, ...options, modelIdleTimeout };
  }

  /**
   * Prepares the engines of `modules`; the built-in engines start with the first job that needs them.
   * @param modules Modules of additional engines.
   * @param natural Folders of the natural voices.
   * @throws WorkerError `failed` if the `prepare` of an engine fails
   */
  static async start(
    modules: readonly string[],
    options: SynthesisOptions,
    natural?: NaturalFolders,
  ): Promise<SpeechSynthesis> {
    const speech = new SpeechSynthesis(modules, options, natural);
    try {
      if (modules.length > 0) await speech.#prepare();
      return speech;
    } catch (error) {
      await speech.close();
      throw error;
    }
  }

  /**
   * Speaks a text, one sentence at a time.
   * @throws WorkerError immediately or while the stream is read
   */
  speak(job: Omit<SpeakJob, 'kind'>, signal: AbortSignal): ReadableStream<SynthesizedAudio> {
    this.#starts += 1;
    return this.#run({ kind: 'speak', ...job }, toSynthesizedAudio, signal);
  }

  /** Speaks like `speak`, but waits for a place in a full queue, at most for the time limit of a job. */
  speakWithRoom(job: Omit<SpeakJob, 'kind'>, signal: AbortSignal): Promise<ReadableStream<SynthesizedAudio>> {
    this.#starts += 1;
    return this.#queued(job, signal);
  }

  /**
   * Speaks the next chunk of a text whose beginning the caller already hears. Waits for a free worker outside of the queue, so that
   * a text that starts goes first (docs/decisions/0174). Then waits for a place, like `speakWithRoom`.
   * @param left returns the seconds of audio that the caller has not heard
   */
  async speakNext(
    job: Omit<SpeakJob, 'kind'>,
    signal: AbortSignal,
    left: () => number,
  ): Promise<ReadableStream<SynthesizedAudio>> {
    const end = performance.now() + 1000 * left() + this.#options.timeLimit;
    const lastStart = this.#starts + MAX_EARLIER_STARTS;
    for (;;) {
      const spare = 1000 * (left() - MIN_LEFT);
      const wait = spare > 0 ? spare : end - performance.now();
      if (this.#hasWorker(spare > 0) || this.#starts > lastStart || wait <= 0)
        return this.#queued(job, signal);
      await this.#nextEnd(wait, signal);
    }
  }

  /** Whether a worker is free, and one more for a text that starts, if wanted. A computer with one core has only one worker. */
  #hasWorker(andOneMore: boolean): boolean {
    const { size } = this.#options;
    return (this.#current?.counted ?? 0) < (andOneMore ? Math.max(1, size - 1) : size);
  }

  async #queued(job: Omit<SpeakJob, 'kind'>, signal: AbortSignal): Promise<ReadableStream<SynthesizedAudio>> {
    const end = performance.now() + this.#options.timeLimit;
    for (;;) {
      try {
        return this.#run({ kind: 'speak', ...job }, toSynthesizedAudio, signal);
      } catch (error) {
        if (!(error instanceof WorkerError && error.code === 'full') || performance.now() > end) throw error;
      }
      await this.#nextEnd(end - performance.now(), signal);
    }
  }

  /** Resolves when a job ends, at most after the milliseconds. @throws the reason of the signal */
  async #nextEnd(milliseconds: number, signal: AbortSignal): Promise<void> {
    const either = limitedTo(Math.max(0, Math.ceil(milliseconds)), signal);
    await once(this.#settled, 'settled', { signal: either }).catch(() => signal.throwIfAborted());
  }

  /**
   * Measures the voice in a clone sample.
   * @throws WorkerError `refused` if the sample is unusable
   */
  async analyse(file: Uint8Array, signal: AbortSignal): Promise<SampleFacts> {
    const outputs = this.#run({ kind: 'analyse', file }, toSampleFacts, signal);
    for await (const facts of outputs) return facts;
    throw new Error('the analysis has no result');
  }

  /**
   * Speaks like `speak` when a worker is free, without a place in the queue. Run one such job at a time.
   * @throws PreemptedError, also while the stream is read, if another job needs the worker; the reason of the signal
   */
  async speakAside(
    job: Omit<SpeakJob, 'kind'>,
    signal: AbortSignal,
  ): Promise<ReadableStream<SynthesizedAudio>> {
    await this.#untilFree(signal);
    this.#aside = new AbortController();
    const either = AbortSignal.any([signal, this.#aside.signal]);
    return this.#run({ kind: 'speak', ...job }, toSynthesizedAudio, either, true);
  }

  async #untilFree(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (this.#isBusy()) {
      await once(this.#settled, 'settled', { signal }).catch(() => signal.throwIfAborted());
    }
  }

  #isBusy(): boolean {
    return (this.#current?.jobs ?? 0) >= this.#options.size;
  }

  /** The jobs and the process id of the current speech process. */
  get load(): { running: number; queued: number; pid: number | undefined } {
    const { jobs = 0, pid } = this.#current ?? {};
    const running = Math.min(jobs, this.#options.size);
    return { running, queued: jobs - running, pid };
  }

  /** Fails the running jobs with `closed`. Resolves when all processes have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#processes].map((process) => process.close()));
  }

  async #prepare(): Promise<void> {
    const outputs = this.#run({ kind: 'prepare' }, (output) => output, new AbortController().signal);
    for await (const _ of outputs);
  }

  #run<Output>(
    job: WorkerJob,
    read: (output: unknown) => Output,
    signal: AbortSignal,
    isExtra = false,
  ): ReadableStream<Output> {
    signal.throwIfAborted();
    if (this.#closed) throw new WorkerError('closed', 'the service is closing');
    if (!isExtra && this.#isBusy()) this.#aside?.abort(new PreemptedError('another job needs the worker'));
    const process = this.#current ?? this.#startProcess();
    const { emoji: namesEmoji } = this.#options;
    const complete = job.kind === 'speak' && namesEmoji ? { ...job, namesEmoji } : job;
    return process.run(complete, read, signal, isExtra);
  }

  /** The process that takes jobs. A job that arrives while a process ends gets a new one. */
  get #current(): SpeechProcess | undefined {
    return this.#last?.isOpen === true ? this.#last : undefined;
  }

  #startProcess(): SpeechProcess {
    const { idleTimeout, modelIdleTimeout, startTimeLimit, warmUp, ...pool } = this.#options;
    const process = new SpeechProcess({
      modules: this.#modules,
      natural: this.#natural,
      pool,
      idleTimeout,
      modelIdleTimeout,
      startTimeLimit,
      warmUp,
      onSettled: () => this.#settled.emit('settled'),
    });
    this.#last = process;
    this.#processes.add(process);
    void process.ended.then(() => this.#processes.delete(process));
    return process;
  }
}
