import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { WorkerError } from '../../kit/worker-error.js';

/** Callbacks of a task: the caller lost interest, the time limit passed, or the grace period passed too. */
export interface TaskEvents {
  abandoned(): void;
  timedOut(): void;
  hung(): void;
}

/** Milliseconds for a job including its wait, and additional milliseconds for it to end on request. */
export interface TaskLimits {
  timeLimit: number;
  grace: number;
}

/**
 * A job with the stream of its outputs. It settles once and ignores everything later. The stream buffers all outputs
 * until they are read; the limits of a job bound them.
 */
export class WorkerTask<Output> {
  readonly #read: (value: unknown) => Output;
  readonly #signal: AbortSignal;
  readonly #limits: TaskLimits;
  readonly #events: TaskEvents;
  readonly outputs: ReadableStream<Output>;
  #controller: ReadableStreamDefaultController<Output> | undefined;
  #settled = false;
  #late = false;
  #timer: NodeJS.Timeout;
  readonly #onAbort: () => void;

  constructor(
    readonly job: unknown,
    read: (value: unknown) => Output,
    signal: AbortSignal,
    limits: TaskLimits,
    events: TaskEvents,
  ) {
    this.#read = read;
    this.#signal = signal;
    this.#limits = limits;
    this.#events = events;
    this.outputs = new ReadableStream<Output>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.#settle();
        events.abandoned();
      },
    });
    this.#timer = setTimeout(() => this.#timeOut(), limits.timeLimit);
    this.#onAbort = () => {
      this.fail(signal.reason);
      events.abandoned();
    };
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  output(value: unknown): void {
    if (!this.#settled && !this.#late) this.#controller?.enqueue(this.#read(value));
  }

  /** Ends the stream, with an error if the job failed. After the time limit, the result is always `timed-out`. */
  finish(error?: WorkerError): void {
    const outcome = this.#late ? this.#timedOut() : error;
    if (outcome !== undefined) this.fail(outcome);
    else if (this.#settle()) this.#controller?.close();
  }

  fail(error: unknown): void {
    if (this.#settle()) this.#controller?.error(error);
  }

  /** Stops the timer, because the job has left the queue or its worker. The timer also limits an abandoned job. */
  release(): void {
    clearTimeout(this.#timer);
    this.fail(new WorkerError('crashed', 'the job ended without a result'));
  }

  #timeOut(): void {
    this.#late = true;
    const { timeLimit, grace } = this.#limits;
    this.#timer = setTimeout(() => {
      const seconds = (timeLimit + grace) / 1000;
      this.fail(
        new WorkerError('hung', `speech did not end within ${seconds} s: try again, or send less text`),
      );
      this.#events.hung();
    }, grace);
    this.#events.timedOut();
  }

  #timedOut(): WorkerError {
    return new WorkerError(
      'timed-out',
      `speech exceeded the time limit of ${this.#limits.timeLimit / 1000} s`,
    );
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#signal.removeEventListener('abort', this.#onAbort);
    return true;
  }
}
