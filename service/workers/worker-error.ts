/**
 * Why a job failed:
 * - `refused`: its input is unusable; the message gives the reason and may be shown to the caller;
 * - `failed`: it threw an error;
 * - `crashed`: its worker or the speech process ended;
 * - `timed-out`: it exceeded the time limit, including the wait in the queue, and ended on request;
 * - `hung`: it exceeded the time limit and did not end on request, so its worker was terminated;
 * - `full`: the queue is full;
 * - `closed`: the service is closing.
 */
export type WorkerFailure = 'refused' | 'failed' | 'crashed' | 'timed-out' | 'hung' | 'full' | 'closed';

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
