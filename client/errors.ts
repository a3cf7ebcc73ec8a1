import { inspect } from 'node:util';

/** May a failed call be sent again by the client itself? */
type Retry = 'always' | 'if-idempotent' | 'never';

/** Where a failed message leaves a flow. */
export type Route = 'retryable' | 'fatal' | 'out-of-credits';

/** Every way a call can fail: may it be sent again, and on which port does the message leave. */
export const failures = {
  // Nothing was sent.
  'bad-request': { retry: 'never', route: 'fatal' },
  'not-configured': { retry: 'never', route: 'fatal' },
  busy: { retry: 'never', route: 'retryable' },
  aborted: { retry: 'never', route: 'retryable' },
  'no-connection': { retry: 'always', route: 'retryable' },
  'insecure-connection': { retry: 'never', route: 'fatal' },
  // The service answered.
  unauthorized: { retry: 'never', route: 'fatal' },
  'out-of-credits': { retry: 'never', route: 'out-of-credits' },
  forbidden: { retry: 'never', route: 'fatal' },
  'not-found': { retry: 'never', route: 'fatal' },
  'too-large': { retry: 'never', route: 'fatal' },
  'unsupported-media': { retry: 'never', route: 'fatal' },
  'rate-limited': { retry: 'always', route: 'retryable' },
  'service-failed': { retry: 'if-idempotent', route: 'retryable' },
  // It may have been done, and charged.
  'timed-out': { retry: 'if-idempotent', route: 'retryable' },
  'no-reply': { retry: 'if-idempotent', route: 'retryable' },
  // A second try would be charged again and read the same.
  'bad-reply': { retry: 'never', route: 'fatal' },
  // A fault of our own.
  internal: { retry: 'never', route: 'fatal' },
} as const satisfies Record<string, { retry: Retry; route: Route }>;

export type FailureCode = keyof typeof failures;

/** What each status of the service means (docs/interface.md#errors). */
const statuses: Readonly<Record<number, FailureCode>> = {
  400: 'bad-request',
  401: 'unauthorized',
  402: 'out-of-credits',
  403: 'forbidden',
  404: 'not-found',
  408: 'timed-out',
  413: 'too-large',
  415: 'unsupported-media',
  429: 'rate-limited',
};

/** The failure that a status other than 2xx stands for; a redirect is no reply of this interface. */
export function codeOfStatus(status: number): FailureCode {
  if (status >= 500) return 'service-failed';
  if (status < 400) return 'bad-reply';
  return statuses[status] ?? 'bad-request';
}

/** Which chunk of a long text failed: `index` from 0, of `count`, and its place in the text in UTF-16 units. */
export interface FailedChunk {
  index: number;
  count: number;
  start: number;
  end: number;
}

export interface SpeechErrorDetails {
  operation?: string | undefined;
  /** HTTP status of the reply, where there was one. */
  status?: number | undefined;
  /** How often the request was sent. */
  attempts?: number | undefined;
  /** Seconds to wait before it is worth trying again. */
  retryAfter?: number | undefined;
  chunk?: FailedChunk | undefined;
  /** The service's own words, bounded and free of the key. */
  service?: string | undefined;
  cause?: unknown;
}

/** The one error of the client. `code` is a row of `failures`, `route` where a flow sends the message. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';
  readonly code: FailureCode;
  readonly route: Route;
  readonly status: number | undefined;
  readonly operation: string | undefined;
  readonly attempts: number;
  readonly retryAfter: number | undefined;
  readonly chunk: FailedChunk | undefined;
  readonly service: string | undefined;

  constructor(code: FailureCode, message: string, details: SpeechErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.route = failures[code].route;
    this.status = details.status;
    this.operation = details.operation;
    this.attempts = details.attempts ?? 0;
    this.retryAfter = details.retryAfter;
    this.chunk = details.chunk;
    this.service = details.service;
  }

  /** The same failure with more known about it: what it belongs to is learnt on the way up. */
  with(details: SpeechErrorDetails & { message?: string }): SpeechError {
    const { message = this.message, ...more } = details;
    const error = new SpeechError(this.code, message, { ...this.details(), ...more });
    if (this.stack !== undefined) error.stack = this.stack.replace(this.message, () => message);
    return error;
  }

  private details(): SpeechErrorDetails {
    const { operation, status, attempts, retryAfter, chunk, service, cause } = this;
    return { operation, status, attempts, retryAfter, chunk, service, cause };
  }
}

/** Whether the client may send the call again by itself. */
export function mayRetry(error: SpeechError, idempotent: boolean): boolean {
  const { retry } = failures[error.code];
  return retry === 'always' || (retry === 'if-idempotent' && idempotent);
}

/** Any thrown thing as a SpeechError; what is not one is a fault of our own. */
export function asSpeechError(thrown: unknown): SpeechError {
  if (thrown instanceof SpeechError) return thrown;
  return new SpeechError('internal', wordsOf(thrown), { cause: thrown });
}

/** Anything can be thrown; of a foreign object no code may run for its words. */
function wordsOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  return typeof thrown === 'string' ? thrown : inspect(thrown, { customInspect: false, depth: 0 });
}
