import { SpeechError } from '@herald-speech/client';
import type { RedisServer } from '../options.js';
import type { Redis } from '../redis/redis.js';

/** The work that members do for each other. */
export interface WorkQueue {
  /** Does tasks of all members until the signal aborts. */
  serve(
    perform: (task: unknown, signal: AbortSignal) => Promise<TaskResult>,
    options: { concurrency: number; signal: AbortSignal },
  ): void;
  /**
   * Lets any member do a task. Equal ids are one task, done once.
   * @throws SpeechError of the task, or `no-connection` if this member is apart: the caller then does the task itself
   */
  submit(id: string, task: unknown, options: { signal: AbortSignal }): Promise<TaskResult>;
}

/** The result of a task: JSON, and bytes. */
export interface TaskResult {
  result: unknown;
  data: Uint8Array;
}

/** Returns the work queue of a member. `close` ends its connections and returns tasks in work to the others. */
export function createWorkQueue(
  _redis: Redis,
  _server: RedisServer,
): WorkQueue & { close: () => Promise<void> } {
  return {
    serve: () => {},
    submit: () => Promise.reject(new SpeechError('no-connection', 'no work queue')),
    close: () => Promise.resolve(),
  };
}
