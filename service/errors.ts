/** Names of the statuses that this service answers with, as the error body shows them (docs/interface.md#errors). */
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

/** Statuses whose body has a plain message; the others have an object (docs/interface.md#errors). */
export const plainStatuses: readonly ErrorStatus[] = [400, 415];

export interface ServiceErrorOptions extends ErrorOptions {
  /** Whole seconds after which another try may succeed. */
  retryAfter?: number;
}

/** An answer other than success. The message is for the caller: it names the field, the value and what is allowed. */
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
 * requires either of them would otherwise reject the reply.
 */
export function errorBody({ status, message }: ServiceError) {
  if (plainStatuses.includes(status)) return { status: 'error', message } as const;
  const named = { message, error: statusNames[status], statusCode: status, status_code: status };
  return { status: 'error', message: named } as const;
}
