/**
 * Why a job gave no result:
 * - `refused`: its input can't be worked on, the message says why and may be shown to the caller;
 * - `failed`: it threw; - `crashed`: its worker died;
 * - `timed-out`: it took longer than the limit, waiting included, and ended when it was told to;
 * - `hung`: it did not, so that its worker had to be ended;
 * - `full`: too many are waiting; - `closed`: the pool was closed.
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
