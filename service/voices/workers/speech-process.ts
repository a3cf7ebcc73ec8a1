import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as delay } from 'node:timers/promises';
import type { NaturalFolders } from '../installed/folders.js';
import type { WorkerPoolLimits } from './limits.js';
import { hasProperties } from '../../kit/objects.js';
import { NEURAL } from '../../kit/packages.js';
import { isFromProcess, type ToProcess } from './protocol.js';
import { WorkerTask } from './task.js';
import { full, WorkerError } from '../../kit/worker-error.js';

const EXTENSION = path.extname(__filename);
const PROGRAM = path.join(__dirname, `speech-program${EXTENSION}`);
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
  /** Called when the process accepts no more jobs: before its end, or after a crash. */
  onRetired(): void;
  /** Called when a job has ended. */
  onSettled(): void;
}

/** A child process that runs jobs in a worker pool. It ends after `idleTimeout`, and its memory is free again. */
export class SpeechProcess {
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly #options: SpeechProcessOptions;
  readonly #child: ChildProcess;
  readonly #tasks = new Map<number, WorkerTask<unknown>>();
  /** Ids of the jobs that take no place in the queue. */
  readonly #extras = new Set<number>();
  #nextId = 0;
  /** Whether a natural voice has spoken, whose model takes seconds to load. */
  #hasModel = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: SpeechProcessOptions) {
    this.#options = options;
    this.#child = start();
    this.#child.on('message', (message) => this.#receive(message));
    this.ended = new Promise<void>((resolve) => {
      this.#child.once('exit', () => resolve()).once('error', () => resolve());
    }).then(() => this.#retire(new WorkerError('crashed', 'the speech process ended')));
    const { modules, natural, pool, modelIdleTimeout: keepMs, warmUp } = options;
    // This process counts the jobs. The pool has one more place, for an extra job.
    const withExtra = { ...pool, maxQueued: pool.maxQueued + 1 };
    this.#send({ kind: 'start', modules, natural, pool: withExtra, neural: { keepMs, warmUp } });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Number of jobs that run or wait and take a place in the queue. */
  get counted(): number {
    return this.#tasks.size - this.#extras.size;
  }

  /** Number of jobs that run or wait. */
  get jobs(): number {
    return this.#tasks.size;
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
    const id = this.#nextId++;
    const cancel = () => this.#send({ kind: 'cancel', id });
    const { pool, startTimeLimit } = this.#options;
    const limits = { timeLimit: startTimeLimit + pool.timeLimit, grace: 2 * pool.grace };
    const hung = () => {
      // The next job must not reach a process that ends.
      this.#options.onRetired();
      this.#child.kill('SIGKILL');
    };
    const task = new WorkerTask(job, read, signal, limits, { abandoned: cancel, timedOut: cancel, hung });
    this.#tasks.set(id, task);
    if (isExtra) this.#extras.add(id);
    this.#hasModel ||= hasProperties(job) && job['engine'] === NEURAL;
    this.#send({ kind: 'run', id, job });
    return task.outputs;
  }

  /** Fails the jobs with `closed` and ends the process. Resolves after its end. */
  async close(): Promise<void> {
    this.#retire(new WorkerError('closed', 'the service is closing'));
    this.#send({ kind: 'stop' });
    const stopped = new AbortController();
    const force = delay(STOP_TIME_LIMIT, undefined, { signal: stopped.signal }).then(
      () => this.#child.kill('SIGKILL'),
      () => undefined,
    );
    await this.ended;
    stopped.abort();
    await force;
  }

  #retire(reason: WorkerError): void {
    clearTimeout(this.#idleTimer);
    this.#options.onRetired();
    for (const task of this.#tasks.values()) {
      task.fail(reason);
      task.release();
    }
    this.#tasks.clear();
    this.#extras.clear();
    this.#options.onSettled();
  }

  #receive(message: unknown): void {
    if (!isFromProcess(message)) throw new TypeError('unexpected message from the speech process');
    const task = this.#tasks.get(message.id);
    if (task === undefined) return;
    if (message.kind === 'output') return task.output(message.value);
    task.finish(message.kind === 'failed' ? new WorkerError(message.code, message.message) : undefined);
    task.release();
    this.#tasks.delete(message.id);
    this.#extras.delete(message.id);
    this.#options.onSettled();
    if (this.#tasks.size === 0) this.#rest();
  }

  #rest(): void {
    const { idleTimeout, modelIdleTimeout } = this.#options;
    const wait = this.#hasModel ? modelIdleTimeout : idleTimeout;
    this.#idleTimer = setTimeout(() => void this.close(), wait).unref();
  }

  /**
   * A message that cannot be sent is lost with the process, whose end fails its jobs. A process that could not start has
   * no `send`.
   */
  #send(message: ToProcess): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }
}

function start(): ChildProcess {
  const child = fork(PROGRAM, [], {
    // In development, the child inherits the loader of TypeScript files.
    execArgv: EXTENSION === '.ts' ? process.execArgv : [],
    serialization: 'advanced',
    // Pipes, because inherited streams would stay open for a moment after `kill -9` of the service.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.stdout?.pipe(process.stdout, { end: false });
  child.stderr?.pipe(process.stderr, { end: false });
  return child;
}
