/**
 * The state of a call: waiting for the rate limit or the next try, sending, or speaking. `done` of `count` chunks of a
 * text are complete.
 */
export type Progress =
  | { state: 'waiting'; seconds: number }
  | { state: 'sending' }
  | { state: 'speaking'; done: number; count: number };
