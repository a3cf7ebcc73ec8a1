/**
 * The state of a call: queued behind an equal call of another process, waiting for the rate limit or the next try, sending, or
 * speaking. `done` of `count` chunks of a text are complete.
 */
export type Progress =
  | { state: 'queued' }
  | { state: 'waiting'; seconds: number }
  | { state: 'sending' }
  | { state: 'speaking'; done: number; count: number };
