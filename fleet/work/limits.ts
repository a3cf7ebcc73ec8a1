/** Sizes in bytes, times in milliseconds. docs/decisions/0089 and 0199 give the reasons. */
export const workLimits = {
  /** Audio of one result. 8 MB are 95 s of WAV with 44,100 Hz. The submitter does a task with a larger result itself. */
  resultBytes: 8_000_000,
  /** All tasks and results of an account in Redis. A member with a large result waits for its room. */
  totalBytes: 128_000_000,
  /** Time after which a result is stored without room, because tasks fill Redis and all of them wait for room. */
  roomMs: 5000,
  /** Time in which a result can be reused, unless all submitters collected it. */
  resultMs: 3_600_000,
  /** Time in which a submitter must read a failure. It is never reused. */
  failureMs: 60_000,
  /** A task whose submitter has not been heard of for this time is dropped. */
  submitterMs: 60_000,
  /** A member that has not been heard of for this time does not serve. */
  memberMs: 15_000,
  /** Interval in which a submitter asks for its tasks, and a member with a free place for a task. It also finds a hung Redis. */
  pollMs: 1000,
  /** Pause before a member asks again whether Redis has room. */
  fullMs: 200,
  /** Lock of a running task, renewed after half of it. A member that is blocked or killed for longer loses the task. */
  lockMs: 10_000,
  /** A task that ended its member this often fails. */
  stalls: 3,
  /** Tries of a task that failed with a retryable error. */
  tries: 3,
  /** Pause before the next try, if the error has no `retryAfter`. */
  retryMs: 5_000,
  /** Time in which a closing member gives its tasks back. */
  closeMs: 500,
};

export type WorkLimits = typeof workLimits;
