import os from 'node:os';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { fromWorker, type ToWorker } from './protocol.js';
import { Task } from './task.js';
import { WorkerError } from './worker-error.js';

export interface WorkerPoolOptions {
  /** The worker's file, which calls `serveJobs`. */
  file: string;
  /** Handed to every worker as `workerData`. */
  data?: unknown;
  /** Workers at most; they start when they are needed. */
  size?: number;
  /** Jobs that may wait for a worker. */
  maxQueued?: number;
  /** Milliseconds for a job, waiting included. */
  timeLimit?: number;
  /** Milliseconds that a job at its limit gets to end by itself, before it counts as hung. */
  grace?: number;
}

export const workerPoolDefaults = { maxQueued: 64, timeLimit: 30_000, grace: 2000 };

/** Milliseconds that a worker has to end by itself. */
const LEAVE_MS = 500;

/** Bytes of one worker's JavaScript heap; the memory of an engine in WebAssembly is its own. */
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/** Runs jobs in worker threads: as many at a time as there are workers, the others wait in order. */
export class WorkerPool {
  readonly #options: Required<WorkerPoolOptions>;
  readonly #workers = new Map<Worker, Task<unknown> | undefined>();
  readonly #queue: Task<unknown>[] = [];
  #closed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = { data: undefined, size: os.availableParallelism(), ...workerPoolDefaults, ...options };
  }

  /**
   * Starts a job, or queues it. Aborting `signal`, or no longer reading, takes it out of the queue; one that runs is
   * asked to end and its outputs are dropped.
   * @param read Checks an output.
   * @returns the job's outputs, in order; fails with a WorkerError, or with the signal's reason
   * @throws WorkerError `full` or `closed`
   */
  run<Output>(job: unknown, read: (value: unknown) => Output, signal: AbortSignal): ReadableStream<Output> {
    signal.throwIfAborted();
    if (this.#closed) throw new WorkerError('closed', 'the service is closing');
    if (this.#freeWorker() === undefined && this.#queue.length >= this.#options.maxQueued) {
      throw new WorkerError('full', `${this.#queue.length} jobs are waiting already`);
    }
    const task: Task<Output> = new Task(job, read, signal, this.#options, {
      abandoned: () => this.#abandon(task),
      timedOut: () => this.#timeOut(task),
      hung: () => this.#end(task),
    });
    this.#queue.push(task);
    this.#startNext();
    return task.outputs;
  }

  /** Ends every job and every worker. */
  async close(): Promise<void> {
    this.#closed = true;
    const closed = new WorkerError('closed', 'the service is closing');
    for (const task of [...this.#queue.splice(0), ...this.#workers.values()]) {
      task?.fail(closed);
      task?.release();
    }
    await Promise.all([...this.#workers.keys()].map(dismiss));
  }

  #startNext(): void {
    const worker = this.#queue.length === 0 ? undefined : this.#freeWorker();
    const task = worker === undefined ? undefined : this.#queue.shift();
    if (worker === undefined || task === undefined) return;
    this.#workers.set(worker, task);
    tell(worker, { kind: 'run', job: task.job });
  }

  /** An idle worker, else a new one while there is room. */
  #freeWorker(): Worker | undefined {
    for (const [worker, task] of this.#workers) if (task === undefined) return worker;
    return this.#workers.size < this.#options.size ? this.#startWorker() : undefined;
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#options.file, {
      ...loaderOf(this.#options.file),
      workerData: this.#options.data,
      resourceLimits,
    });
    this.#workers.set(worker, undefined);
    let cause: unknown;
    worker.on('message', (message: unknown) => this.#hear(worker, message));
    worker.on('error', (error) => (cause = error));
    worker.on('exit', () => this.#bury(worker, cause));
    return worker;
  }

  #hear(worker: Worker, message: unknown): void {
    const task = this.#workers.get(worker);
    const reply = fromWorker.parse(message);
    if (reply.kind === 'output') {
      task?.output(reply.value);
      return;
    }
    task?.finish(reply.kind === 'failed' ? new WorkerError(reply.code, reply.message) : undefined);
    task?.release();
    if (this.#workers.has(worker)) this.#workers.set(worker, undefined);
    this.#startNext();
  }

  /** A worker that ended takes its job along; the next job gets a new worker. */
  #bury(worker: Worker, cause: unknown): void {
    const task = this.#workers.get(worker);
    this.#workers.delete(worker);
    task?.fail(new WorkerError('crashed', 'the worker of this job died', { cause }));
    task?.release();
    if (!this.#closed) this.#startNext();
  }

  #abandon(task: Task<unknown>): void {
    const worker = this.#workerOf(task);
    if (worker === undefined) this.#unqueue(task);
    else tell(worker, { kind: 'cancel' });
  }

  /** One that runs is asked to end, like one that is abandoned; what it answers no longer matters. */
  #timeOut(task: Task<unknown>): void {
    const worker = this.#workerOf(task);
    if (worker !== undefined) return tell(worker, { kind: 'cancel' });
    task.finish();
    this.#unqueue(task);
  }

  /** What blocks its thread can't be asked to end: only the end of the worker ends it. */
  #end(task: Task<unknown>): void {
    void this.#workerOf(task)?.terminate();
  }

  #unqueue(task: Task<unknown>): void {
    const place = this.#queue.indexOf(task);
    if (place >= 0) this.#queue.splice(place, 1);
    task.release();
  }

  #workerOf(task: Task<unknown>): Worker | undefined {
    for (const [worker, running] of this.#workers) if (running === task) return worker;
    return undefined;
  }
}

/** Lets a worker end what it started: a child process is reaped by nobody but the thread that started it. */
async function dismiss(worker: Worker): Promise<void> {
  const left = new AbortController();
  worker.once('exit', () => left.abort());
  tell(worker, { kind: 'leave' });
  await delay(LEAVE_MS, undefined, { signal: left.signal }).catch(() => undefined);
  await worker.terminate();
}

function tell(worker: Worker, message: ToWorker): void {
  worker.postMessage(message, []);
}

/** From source, as in development: Node 20 does not apply a loader given by `--import` to the file of a worker. */
function loaderOf(file: string): WorkerOptions {
  return file.endsWith('.ts') ? { execArgv: ['--require', 'tsx/cjs'] } : {};
}
