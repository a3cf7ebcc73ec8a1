/**
 * Why a job failed:
 * - `refused`: its input is unusable; the message gives the reason and may be shown to the caller;
 * - `failed`: it threw an error;
 * - `voice`: its voice cannot speak; the message gives the reason and may be shown to the caller;
 * - `crashed`: its worker or the speech process ended;
 * - `timed-out`: it exceeded the time limit, including the wait in the queue, and ended on request;
 * - `hung`: it exceeded the time limit and did not end on request, so its worker was replaced;
 * - `full`: the queue is full;
 * - `closed`: the service is closing.
 */
export type WorkerFailure =
  | 'refused'
  | 'failed'
  | 'voice'
  | 'crashed'
  | 'timed-out'
  | 'hung'
  | 'full'
  | 'closed';

export class WorkerError extends Error {
  override readonly name = 'WorkerError';

  constructor(
    readonly code: WorkerFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The reason for the abort of a job that gave its worker to another caller. The same job can run again later. */
export class PreemptedError extends Error {
  override readonly name = 'PreemptedError';
}

/** Returns the error for a job that does not fit into the queue. @param waiting number of jobs in the queue */
export function full(waiting: number): WorkerError {
  return new WorkerError('full', `the queue is full: ${waiting} jobs are waiting. Try again later`);
}
