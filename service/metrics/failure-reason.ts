import { AccountsError, type ErrorStatus, ServiceError } from '../kit/errors.js';
import { StoreError } from '../kit/store-error.js';
import { WorkerError } from '../kit/worker-error.js';

const reasons: Partial<Record<ErrorStatus, string>> = {
  400: 'invalid',
  404: 'not-found',
  408: 'hung-up',
  503: 'closed',
};

/** Returns why speech failed, as one of a fixed list of words for a label. */
export function failureReason(error: unknown): string {
  if (error instanceof WorkerError) return error.code;
  if (error instanceof AccountsError) return error.kind;
  if (error instanceof StoreError) return 'disk';
  return (error instanceof ServiceError ? reasons[error.status] : undefined) ?? 'internal';
}
