/** The error statuses of this service, with their names in the error body (docs/interface.md#errors). */
export const statusNames = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

export type ErrorStatus = keyof typeof statusNames;

/** Statuses with a plain message. The message of other statuses is an object (docs/interface.md#error-body). */
export const plainStatuses: readonly ErrorStatus[] = [400, 415];

export interface ServiceErrorOptions extends ErrorOptions {
  /** Whole seconds to wait before the caller sends the request again. */
  retryAfter?: number;
}

/** An error reply. The message is for the caller: field and value, rule, fix. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly retryAfter: number | undefined;

  constructor(
    readonly status: ErrorStatus,
    message: string,
    { retryAfter, ...options }: ServiceErrorOptions = {},
  ) {
    super(message, options);
    this.retryAfter = retryAfter;
  }
}

/**
 * Returns the body of an error (docs/interface.md#error-body). The status number has both names, because a client that
 * expects the other name would report a broken reply.
 */
export function errorBody({ status, message }: ServiceError) {
  if (plainStatuses.includes(status)) return { status: 'error', message } as const;
  const named = { message, error: statusNames[status], statusCode: status, status_code: status };
  return { status: 'error', message: named } as const;
}

/** Reasons why an account operation fails, with the status of the error reply (docs/interface.md#errors). */
export const accountFailures = {
  invalid: 400,
  'out-of-credits': 402,
  forbidden: 403,
  'not-found': 404,
  /** The name is taken or a limit is reached. The interface has no 409, so the status is 403. */
  conflict: 403,
} as const;

export type AccountFailure = keyof typeof accountFailures;

/** A failed operation on an account, its keys, credits, usage or custom voices. The message never contains a key. */
export class AccountsError extends Error {
  override readonly name = 'AccountsError';

  constructor(
    readonly kind: AccountFailure,
    message: string,
  ) {
    super(message);
  }

  get status(): (typeof accountFailures)[AccountFailure] {
    return accountFailures[this.kind];
  }
}
