/** Names of the statuses that this service answers with, as the error body shows them (service-api.md, 2.6). */
const statusNames = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

export type ErrorStatus = keyof typeof statusNames;

/** An answer other than success. The message is for the caller: it names the field, the value and what is allowed. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    readonly status: ErrorStatus,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The body of an error: a plain message for 400 and 415, an object for the others (service-api.md, 7). */
export function errorBody({ status, message }: ServiceError) {
  const isPlain = status === 400 || status === 415;
  return { status: 'error', message: isPlain ? message : { message, error: statusNames[status] } } as const;
}
