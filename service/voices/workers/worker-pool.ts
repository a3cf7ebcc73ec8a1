import type { ReadableStream } from 'node:stream/web';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { Program } from '@herald-speech/client/program';
import { workerPoolDefaults, type WorkerPoolLimits } from './limits.js';
import type { FromWorker } from './protocol.js';
import { jobTerms, runJob, withTimeLimit } from './run-job.js';
import { Semaphore } from '../../kit/semaphore.js';
import { streamed } from '../../kit/streamed.js';
import { full, WorkerError } from '../../kit/worker-error.js';

export interface WorkerPoolOptions extends Partial<WorkerPoolLimits> {
  /** Path of the worker's program, which calls `serveJobs`. */
  file: string;
  /** Returns the data of a new worker. */
  dataOf?: () => WorkerData;
}

export type WorkerData = Pick<WorkerOptions, 'workerData' | 'transferList'>;

/** Milliseconds for a worker to close its engines and to end by itself. */
const LEAVE_TIME_LIMIT = 1000;

/** Limits of a worker's JavaScript heap in megabytes. Small young generations keep less garbage. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 };

/** Runs jobs in worker threads, one per worker. Further jobs wait in order. */
export class WorkerPool {
  readonly #options: Required<WorkerPoolOptions>;
  readonly #places: Semaphore;
  readonly #workers = new Set<Program<FromWorker>>();
  readonly #idle: Array<Program<FromWorker>> = [];
  readonly #closing = new AbortController();

  constructor(options: WorkerPoolOptions) {
    this.#options = { dataOf: () => ({}), ...workerPoolDefaults, ...options };
    this.#places = new Semaphore(this.#options.size);
  }

  /**
   * Starts a job or queues it. An aborted `signal` or a cancelled stream removes a queued job, and asks a running job to
   * end and drops its outputs.
   * @param read Checks an output.
   * @returns the job's outputs in order; fails with a WorkerError or the reason of the signal
   * @throws WorkerError `full` or `closed`
   */
  run<Output>(job: unknown, read: (value: unknown) => Output, signal: AbortSignal): ReadableStream<Output> {
    signal.throwIfAborted();
    this.#closing.signal.throwIfAborted();
    const { isFull, waiting } = this.#places;
    if (isFull && waiting >= this.#options.maxQueued) throw full(waiting);
    return streamed([signal, this.#closing.signal], (emit, either) =>
      this.#run(job, (value) => emit(read(value)), either),
    );
  }

  /** Fails all jobs with `closed` and ends all workers. */
  async close(): Promise<void> {
    this.#closing.abort(new WorkerError('closed', 'the service is closing'));
    await Promise.all([...this.#workers].map(dismiss));
  }

  #run(job: unknown, emit: (output: unknown) => void, caller: AbortSignal): Promise<void> {
    const { timeLimit, grace } = this.#options;
    const end = performance.now() + timeLimit + grace;
    return withTimeLimit(timeLimit, caller, async (signal) => {
      await this.#places.take(signal);
      let worker: Program<FromWorker> | undefined;
      try {
        signal.throwIfAborted();
        worker = this.#idle.pop() ?? this.#startWorker();
        await runJob(worker, job, emit, signal, end - performance.now());
      } finally {
        void this.#leave(worker);
      }
    });
  }

  /** Gives the place of a job to the next one. If its worker crashed or hangs, the place is free when that worker has ended. */
  async #leave(worker: Program<FromWorker> | undefined): Promise<void> {
    if (worker?.isOpen === true) this.#idle.push(worker);
    else if (worker !== undefined) await dismiss(worker);
    this.#places.leave();
  }

  #startWorker(): Program<FromWorker> {
    const { file, dataOf } = this.#options;
    const thread = new Worker(file, { ...dataOf(), resourceLimits });
    const worker = new Program(thread, jobTerms('the worker of the job', this.#options));
    this.#workers.add(worker);
    void worker.exited.then(() => {
      this.#workers.delete(worker);
      const place = this.#idle.indexOf(worker);
      if (place >= 0) this.#idle.splice(place, 1);
    });
    return worker;
  }
}

/**
 * Lets a worker close its engines before it ends: only the thread that started a child process can reap it. A worker that
 * blocks its thread cannot see the request, and is terminated.
 */
const dismiss = (worker: Program<FromWorker>): Promise<void> =>
  worker.end({ kind: 'leave' }, LEAVE_TIME_LIMIT);
