import { createHash } from 'node:crypto';

/** The result of a task: plain JSON data, and its audio. */
export interface TaskResult {
  result: unknown;
  data: Uint8Array;
}

/** Does one task. `task` is the JSON value that `submit` received. Rejects with a SpeechError. */
export type Perform = (task: unknown, signal: AbortSignal) => Promise<TaskResult>;

export interface ServeOptions {
  /** Tasks at a time, until a task states another number. */
  concurrency: number;
  /** Returns the number of tasks at a time that a task states for its run, at least 1. Default: none states one. */
  concurrencyOf?: ((task: unknown) => number | undefined) | undefined;
  /** Ends the service. Running tasks are aborted and go back to the queue, for another member. */
  signal: AbortSignal;
}

/** Tasks that any member of the fleet can do. */
export interface WorkQueue {
  /**
   * Does tasks of all members until the signal aborts. Continues after an interruption of Redis. If this member already
   * serves, waits until that ends.
   */
  serve(perform: Perform, options: ServeOptions): void;
  /**
   * Lets any serving member do a task. Equal ids are one task, which is done once.
   * @param id content hash of the task
   * @param task plain JSON data without a key
   * @throws SpeechError of the task. `no-connection` if the fleet cannot do the task: Redis does not answer, no member serves,
   * or the result is too large for Redis. The caller then does the task itself. `aborted` if the signal aborts.
   */
  submit(id: string, task: unknown, options: { signal: AbortSignal }): Promise<TaskResult>;
}

/** Returns the id of a task in Redis: of fixed length, and without a space. */
export function taskId(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
