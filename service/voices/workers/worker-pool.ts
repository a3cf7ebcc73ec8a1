import type { ReadableStream } from 'node:stream/web';
import { setTimeout as delay } from 'node:timers/promises';
import { type MessagePort, Worker } from 'node:worker_threads';
import { workerPoolDefaults, type WorkerPoolLimits } from './limits.js';
import { isFromWorker, type ToWorker } from './protocol.js';
import { WorkerTask } from './task.js';
import { full, WorkerError } from '../../kit/worker-error.js';

export interface WorkerPoolOptions extends Partial<WorkerPoolLimits> {
  /** Path of the worker's program, which calls `serveJobs`. */
  file: string;
  /** Returns the `workerData` of a new worker. */
  dataOf?: () => WorkerData;
}

export interface WorkerData {
  value: unknown;
  /** The ports in the value. */
  ports: readonly MessagePort[];
}

/** Milliseconds for a worker to close its engines and to end by itself. */
const LEAVE_TIME_LIMIT = 1000;

/** Limits of a worker's JavaScript heap in megabytes. Small young generations keep less garbage. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 };

/** Runs jobs in worker threads, one per worker. Further jobs wait in order. */
export class WorkerPool {
  readonly #options: Required<WorkerPoolOptions>;
  readonly #workers = new Map<Worker, WorkerTask<unknown> | undefined>();
  readonly #queue: WorkerTask<unknown>[] = [];
  /** Workers that take no more jobs. */
  readonly #leaving = new WeakSet<Worker>();
  #closed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = { dataOf: () => ({ value: undefined, ports: [] }), ...workerPoolDefaults, ...options };
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
    if (this.#closed) throw new WorkerError('closed', 'the service is closing');
    if (this.#freeWorker() === undefined && this.#queue.length >= this.#options.maxQueued) {
      throw full(this.#queue.length);
    }
    const task: WorkerTask<Output> = new WorkerTask(job, read, signal, this.#options, {
      abandoned: () => this.#abandon(task),
      timedOut: () => this.#timeOut(task),
      hung: () => this.#replace(task),
    });
    this.#queue.push(task);
    this.#startNext();
    return task.outputs;
  }

  /** Fails all jobs with `closed` and ends all workers. */
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
    post(worker, { kind: 'run', job: task.job });
  }

  /** Returns an idle worker, or a new one if the pool is not at its size. */
  #freeWorker(): Worker | undefined {
    for (const [worker, task] of this.#workers) if (task === undefined) return worker;
    return this.#workers.size < this.#options.size ? this.#startWorker() : undefined;
  }

  #startWorker(): Worker {
    const { value, ports } = this.#options.dataOf();
    const worker = new Worker(this.#options.file, {
      workerData: value,
      transferList: [...ports],
      resourceLimits,
    });
    this.#workers.set(worker, undefined);
    let cause: unknown;
    worker.on('message', (message: unknown) => this.#receive(worker, message));
    worker.on('error', (error) => (cause = error));
    worker.on('exit', () => this.#remove(worker, cause));
    return worker;
  }

  #receive(worker: Worker, message: unknown): void {
    if (!isFromWorker(message)) throw new TypeError('unexpected message from a worker');
    const task = this.#workers.get(worker);
    if (message.kind === 'output') {
      task?.output(message.value);
      return;
    }
    task?.finish(message.kind === 'failed' ? new WorkerError(message.code, message.message) : undefined);
    task?.release();
    if (this.#leaving.has(worker)) return;
    if (this.#workers.has(worker)) this.#workers.set(worker, undefined);
    this.#startNext();
  }

  /** Fails the job of a worker that ended. The next job gets a new worker. */
  #remove(worker: Worker, cause: unknown): void {
    const task = this.#workers.get(worker);
    this.#workers.delete(worker);
    task?.fail(new WorkerError('crashed', 'the worker of the job ended', { cause }));
    task?.release();
    if (!this.#closed) this.#startNext();
  }

  #abandon(task: WorkerTask<unknown>): void {
    const worker = this.#workerOf(task);
    if (worker === undefined) this.#unqueue(task);
    else post(worker, { kind: 'cancel' });
  }

  /** Asks a running job to end. The task ignores the job's later result. */
  #timeOut(task: WorkerTask<unknown>): void {
    const worker = this.#workerOf(task);
    if (worker !== undefined) return post(worker, { kind: 'cancel' });
    task.finish();
    this.#unqueue(task);
  }

  /** The next job gets a new worker when the worker of this job has ended. */
  #replace(task: WorkerTask<unknown>): void {
    const worker = this.#workerOf(task);
    if (worker === undefined) return;
    this.#leaving.add(worker);
    void dismiss(worker);
  }

  #unqueue(task: WorkerTask<unknown>): void {
    const place = this.#queue.indexOf(task);
    if (place >= 0) this.#queue.splice(place, 1);
    task.release();
  }

  #workerOf(task: WorkerTask<unknown>): Worker | undefined {
    for (const [worker, running] of this.#workers) if (running === task) return worker;
    return undefined;
  }
}

/**
 * Lets a worker close its engines before it ends: only the thread that started a child process can reap it. A worker that
 * blocks its thread cannot see the request, and is terminated.
 */
async function dismiss(worker: Worker): Promise<void> {
  const left = new AbortController();
  worker.once('exit', () => left.abort());
  post(worker, { kind: 'leave' });
  await delay(LEAVE_TIME_LIMIT, undefined, { signal: left.signal }).catch(() => undefined);
  await worker.terminate();
}

function post(worker: Worker, message: ToWorker): void {
  worker.postMessage(message, []);
}
