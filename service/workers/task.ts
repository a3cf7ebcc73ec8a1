import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { WorkerError } from './worker-error.js';

/** What a task tells the pool: nobody wants it any more, it has taken too long, or it does not end although it was told to. */
export interface TaskEvents {
  abandoned(): void;
  timedOut(): void;
  hung(): void;
}

/** Milliseconds for a job, waiting included, and what it gets beyond them to end by itself. */
export interface TaskLimits {
  timeLimit: number;
  grace: number;
}

/**
 * A job on its way through the pool, with the stream that its outputs go to. Settles once; what comes later is dropped.
 * The outputs wait in the stream until they are read: a job is bounded, so they are.
 */
export class Task<Output> {
  readonly outputs: ReadableStream<Output>;
  #controller: ReadableStreamDefaultController<Output> | undefined;
  #settled = false;
  #late = false;
  #timer: NodeJS.Timeout;
  readonly #onAbort: () => void;

  constructor(
    readonly job: unknown,
    private readonly read: (value: unknown) => Output,
    private readonly signal: AbortSignal,
    private readonly limits: TaskLimits,
    private readonly events: TaskEvents,
  ) {
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
    if (!this.#settled && !this.#late) this.#controller?.enqueue(this.read(value));
  }

  /** The job has ended, well or with an error; one past its limit ends as timed out whatever it says. */
  finish(error?: WorkerError): void {
    const outcome = this.#late ? this.#timedOut() : error;
    if (outcome !== undefined) this.fail(outcome);
    else if (this.#settle()) this.#controller?.close();
  }

  fail(error: unknown): void {
    if (this.#settle()) this.#controller?.error(error);
  }

  /** Ends the time limit: the job has left the queue or its worker. Until then it also guards an abandoned job. */
  release(): void {
    clearTimeout(this.#timer);
    this.fail(new WorkerError('crashed', 'the job ended without a word'));
  }

  #timeOut(): void {
    this.#late = true;
    const { timeLimit, grace } = this.limits;
    this.#timer = setTimeout(() => {
      this.fail(new WorkerError('hung', `not ended within ${(timeLimit + grace) / 1000} s`));
      this.events.hung();
    }, grace);
    this.events.timedOut();
  }

  #timedOut(): WorkerError {
    return new WorkerError('timed-out', `not done within ${this.limits.timeLimit / 1000} s`);
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.signal.removeEventListener('abort', this.#onAbort);
    return true;
  }
}
