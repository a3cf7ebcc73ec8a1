import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { WorkerError } from './worker-error.js';

/** What a task tells the pool: nobody wants it any more, or it has taken too long. */
export interface TaskEvents {
  abandoned(): void;
  timedOut(): void;
}

/**
 * A job on its way through the pool, with the stream that its outputs go to. Settles once; what comes later is dropped.
 * The outputs wait in the stream until they are read: a job is bounded, so they are.
 */
export class Task<Output> {
  readonly outputs: ReadableStream<Output>;
  #controller: ReadableStreamDefaultController<Output> | undefined;
  #settled = false;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort: () => void;

  constructor(
    readonly job: unknown,
    private readonly read: (value: unknown) => Output,
    private readonly signal: AbortSignal,
    timeLimit: number,
    events: TaskEvents,
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
    this.#timer = setTimeout(() => events.timedOut(), timeLimit);
    this.#onAbort = () => {
      this.fail(signal.reason);
      events.abandoned();
    };
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  output(value: unknown): void {
    if (!this.#settled) this.#controller?.enqueue(this.read(value));
  }

  finish(): void {
    if (this.#settle()) this.#controller?.close();
  }

  fail(error: unknown): void {
    if (this.#settle()) this.#controller?.error(error);
  }

  /** Ends the time limit: the job has left the queue or its worker. Until then it also guards an abandoned job. */
  release(): void {
    clearTimeout(this.#timer);
    this.fail(new WorkerError('crashed', 'the job ended without a word'));
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.signal.removeEventListener('abort', this.#onAbort);
    return true;
  }
}
