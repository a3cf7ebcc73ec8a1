import { AccountsError } from '../accounts/accounts-error.js';
import { type ErrorStatus, errorBody, ServiceError } from '../errors.js';
import { StoreError } from '../store/store-error.js';
import { WorkerError, type WorkerFailure } from '../workers/worker-error.js';

/** Seconds after which a full or closing service is worth another try. */
const RETRY_AFTER = 1;

/** What a job that gave no result means to the caller. */
const statusOfFailure: Readonly<Record<WorkerFailure, ErrorStatus>> = {
  refused: 400,
  failed: 500,
  crashed: 500,
  hung: 500,
  'timed-out': 408,
  full: 503,
  closed: 503,
};

/** Any thrown thing as an answer. What is not meant for the caller becomes a bare 500: no inner words, no stack. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof AccountsError)
    return new ServiceError(thrown.status, thrown.message, { cause: thrown });
  if (thrown instanceof StoreError && thrown.kind === 'full') {
    return new ServiceError(500, 'there is no room left on the disk of the service', { cause: thrown });
  }
  return thrown instanceof WorkerError ? ofWorker(thrown) : internal(thrown);
}

function ofWorker(error: WorkerError): ServiceError {
  const status = statusOfFailure[error.code];
  if (status === 500) return internal(error);
  const wait = status === 503 ? { retryAfter: RETRY_AFTER } : {};
  return new ServiceError(status, error.message, { cause: error, ...wait });
}

function internal(cause: unknown): ServiceError {
  return new ServiceError(500, 'the service could not do this', { cause });
}

/** The reply to a failed request (docs/interface.md#errors). */
export function errorReply(error: ServiceError): Response {
  const wait = error.retryAfter;
  const headers = wait === undefined ? undefined : { 'retry-after': String(wait) };
  return Response.json(errorBody(error), { status: error.status, ...(headers && { headers }) });
}
