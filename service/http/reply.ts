import { abridged } from '@herald-speech/client/interface';
import { AccountsError, type ErrorStatus, ServiceError, errorBody } from '../kit/errors.js';
import { NaturalVoiceError } from '../voices/installed/errors.js';
import { StoreError } from '../kit/store-error.js';
import { WorkerError, type WorkerFailure } from '../kit/worker-error.js';

/** Seconds to wait before a request to a full or closing service is sent again. */
export const RETRY_AFTER = 1;

/** The status of the reply when a job of a worker fails. */
const statusOfFailure: Readonly<Record<WorkerFailure, ErrorStatus>> = {
  refused: 400,
  failed: 500,
  voice: 500,
  crashed: 500,
  hung: 408,
  'timed-out': 408,
  full: 503,
  closed: 503,
};

/** Converts a thrown value to an error reply. An internal error becomes a 500 without its message and stack. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof AccountsError || thrown instanceof NaturalVoiceError) {
    return new ServiceError(thrown.status, thrown.message, { cause: thrown });
  }
  if (thrown instanceof StoreError && thrown.kind === 'full') {
    return new ServiceError(500, 'the disk of the service is full: free some space', { cause: thrown });
  }
  return thrown instanceof WorkerError ? ofWorker(thrown) : internal(thrown);
}

function ofWorker(error: WorkerError): ServiceError {
  const status = statusOfFailure[error.code];
  if (status === 500 && error.code !== 'voice') return internal(error);
  const wait = status === 503 ? { retryAfter: RETRY_AFTER } : {};
  return new ServiceError(status, error.message, { cause: error, ...wait });
}

function internal(cause: unknown): ServiceError {
  return new ServiceError(500, 'internal error: see the log of the service', { cause });
}

/** Returns the error for a request whose target and Host header do not form a URL. */
export function invalidUrl(): ServiceError {
  return new ServiceError(400, 'the target and the Host header do not form a valid URL: correct them');
}

/** Returns the error for a request that no route answers. */
export function unknownRoute({ method, path }: { method: string; path: string }): ServiceError {
  const message = `${method} ${abridged(path)}: unknown method or path. GET /openapi.json lists the operations`;
  return new ServiceError(404, message);
}

/** Returns the reply to a failed request (docs/interface.md#errors). */
export function errorReply(error: ServiceError): Response {
  const wait = error.retryAfter;
  const headers = wait === undefined ? undefined : { 'retry-after': String(wait) };
  return Response.json(errorBody(error), { status: error.status, ...(headers && { headers }) });
}
