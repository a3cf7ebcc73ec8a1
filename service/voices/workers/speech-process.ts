import path from 'node:path';
import type { ReadableStream } from 'node:stream/web';
import { Program, startProgram } from '@herald-speech/client/program';
import type { NaturalFolders } from '../installed/folders.js';
import type { TaskLimits, WorkerPoolLimits } from './limits.js';
import { hasProperties } from '../../kit/objects.js';
import { NEURAL } from '../../kit/packages.js';
import { streamed } from '../../kit/streamed.js';
import type { FromWorker, SpeechSettings } from './protocol.js';
import { jobTerms, runJob, withTimeLimit } from './run-job.js';
import { full, WorkerError } from '../../kit/worker-error.js';

const PROGRAM = path.join(__dirname, `speech-program${path.extname(__filename)}`);
/** Milliseconds for the process to end by itself. */
const STOP_TIME_LIMIT = 2000;

export interface SpeechProcessOptions {
  /** Modules of additional engines; relative paths start at the working directory. */
  modules: readonly string[];
  natural: NaturalFolders | undefined;
  pool: WorkerPoolLimits;
  /** Milliseconds for the start of the process, in addition to the time limit of a job. */
  startTimeLimit: number;
  /** Milliseconds without a job after which the process ends. */
  idleTimeout: number;
  /** In place of `idleTimeout`, after a natural voice has spoken. Also the time after which an unused model leaves. */
  modelIdleTimeout: number;
  /** Whether a prediction with a natural voice loads its model. */
  warmUp: boolean;
  /** Called when a job or the process has ended. */
  onSettled(): void;
}

/** A child process that runs jobs in a worker pool. It ends after `idleTimeout`, and its memory is free again. */
export class SpeechProcess {
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly #options: SpeechProcessOptions;
  readonly #limits: TaskLimits;
  readonly #program: Program<FromWorker>;
  readonly #closing = new AbortController();
  #jobs = 0;
  /** Number of the jobs that take no place in the queue. */
  #extras = 0;
  /** Whether a natural voice has spoken, whose model takes seconds to load. */
  #hasModel = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: SpeechProcessOptions) {
    this.#options = options;
    const { pool, startTimeLimit } = options;
    this.#limits = { timeLimit: startTimeLimit + pool.timeLimit, grace: 2 * pool.grace };
    this.#program = start(options, this.#limits);
    this.ended = this.#program.exited.then(() => options.onSettled());
  }

  get pid(): number | undefined {
    return this.#program.pid;
  }

  /** Whether the process takes jobs: it does not end. */
  get isOpen(): boolean {
    return this.#program.isOpen;
  }

  /** Number of jobs that run or wait and take a place in the queue. */
  get counted(): number {
    return this.#jobs - this.#extras;
  }

  /** Number of jobs that run or wait. */
  get jobs(): number {
    return this.#jobs;
  }

  /**
   * Runs a job like `WorkerPool.run`. Other failures of the pool arrive through the stream.
   * @param isExtra if true, the job takes no place in the queue; run one at a time
   * @throws WorkerError `full`. The pool has a limit too, but it cannot count jobs while the process starts.
   */
  run<Output>(
    job: unknown,
    read: (value: unknown) => Output,
    signal: AbortSignal,
    isExtra = false,
  ): ReadableStream<Output> {
    const { size, maxQueued } = this.#options.pool;
    if (!isExtra && this.counted >= size + maxQueued) throw full(this.counted - size);
    clearTimeout(this.#idleTimer);
    this.#hasModel ||= hasProperties(job) && job['engine'] === NEURAL;
    return streamed([signal, this.#closing.signal], (emit, either) =>
      this.#run(job, (value) => emit(read(value)), either, Number(isExtra)),
    );
  }

  /** Fails the jobs with `closed` and ends the process. Resolves after its end. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const ended = this.#program.end({ kind: 'leave' }, STOP_TIME_LIMIT);
    this.#closing.abort(new WorkerError('closed', 'the service is closing'));
    this.#options.onSettled();
    await ended;
  }

  async #run(
    job: unknown,
    emit: (output: unknown) => void,
    caller: AbortSignal,
    extra: number,
  ): Promise<void> {
    this.#jobs += 1;
    this.#extras += extra;
    const { timeLimit, grace } = this.#limits;
    try {
      await withTimeLimit(timeLimit, caller, (signal) =>
        runJob(this.#program, job, emit, signal, timeLimit + grace),
      );
    } finally {
      this.#jobs -= 1;
      this.#extras -= extra;
      this.#settle();
    }
  }

  #settle(): void {
    const { onSettled, idleTimeout, modelIdleTimeout } = this.#options;
    onSettled();
    // A process that hangs takes no more jobs.
    if (!this.isOpen) return void this.#program.end();
    if (this.#jobs > 0) return;
    const wait = this.#hasModel ? modelIdleTimeout : idleTimeout;
    this.#idleTimer = setTimeout(() => void this.close(), wait).unref();
  }
}

function start(options: SpeechProcessOptions, limits: TaskLimits): Program<FromWorker> {
  const { modules, natural, pool, modelIdleTimeout: keepMs, warmUp } = options;
  // The service counts the jobs. The pool has one more place, for an extra job.
  const withExtra = { ...pool, maxQueued: pool.maxQueued + 1 };
  const settings: SpeechSettings = { modules, natural, pool: withExtra, neural: { keepMs, warmUp } };
  const child = startProgram(PROGRAM, {
    args: [JSON.stringify(settings)],
    // Pipes, because inherited streams would stay open for a moment after `kill -9` of the service.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.stdout?.pipe(process.stdout, { end: false });
  child.stderr?.pipe(process.stderr, { end: false });
  return new Program(child, jobTerms('the speech process', limits));
}
