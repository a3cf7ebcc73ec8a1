import { inspect } from 'node:util';
import { type Text } from './messages.js';
import { shortened } from './short-texts.js';

/** Whether the client may send a failed call again. */
type Retry = 'always' | 'if-idempotent' | 'never';

/**
 * The kind of a failure, which determines the output of a node. `stopped` means an intended stop: neither an error nor a
 * reason to retry (docs/decisions/0038).
 */
export type Route = 'retryable' | 'fatal' | 'out-of-credits' | 'stopped';

/** All failures of a call, with their retry rule and their route. */
export const failures = {
  // The request was not sent.
  'bad-request': { retry: 'never', route: 'fatal' },
  'not-configured': { retry: 'never', route: 'fatal' },
  // The service lacks a feature (client/upstreams).
  'not-supported': { retry: 'never', route: 'fatal' },
  busy: { retry: 'never', route: 'retryable' },
  // The caller, a newer message or the user stopped the work.
  aborted: { retry: 'never', route: 'stopped' },
  superseded: { retry: 'never', route: 'stopped' },
  'no-connection': { retry: 'always', route: 'retryable' },
  'insecure-connection': { retry: 'never', route: 'fatal' },
  // The service replied with an error.
  unauthorized: { retry: 'never', route: 'fatal' },
  'out-of-credits': { retry: 'never', route: 'out-of-credits' },
  // The budget of the account (client/budget) forbids the request. It was not sent.
  'over-budget': { retry: 'never', route: 'out-of-credits' },
  forbidden: { retry: 'never', route: 'fatal' },
  'not-found': { retry: 'never', route: 'fatal' },
  'too-large': { retry: 'never', route: 'fatal' },
  'unsupported-media': { retry: 'never', route: 'fatal' },
  'rate-limited': { retry: 'always', route: 'retryable' },
  'service-failed': { retry: 'if-idempotent', route: 'retryable' },
  // The service may have executed and charged the request.
  'timed-out': { retry: 'if-idempotent', route: 'retryable' },
  'no-reply': { retry: 'if-idempotent', route: 'retryable' },
  // The reply was complete. A retry could be charged again and get the same reply.
  'bad-reply': { retry: 'never', route: 'fatal' },
  // A defect of the client.
  internal: { retry: 'never', route: 'fatal' },
} as const satisfies Record<string, { retry: Retry; route: Route }>;

export type FailureCode = keyof typeof failures;

/** The failure code of each status with which the service refuses a request (docs/interface.md#errors). */
const refusals = {
  400: 'bad-request',
  401: 'unauthorized',
  402: 'out-of-credits',
  403: 'forbidden',
  404: 'not-found',
  408: 'timed-out',
  413: 'too-large',
  415: 'unsupported-media',
  429: 'rate-limited',
} as const satisfies Record<number, FailureCode>;

export type RefusalStatus = keyof typeof refusals;

/** Returns the failure code of a status outside 200 to 299. A redirect is not part of the interface: `bad-reply`. */
export function codeOfStatus(status: number): FailureCode {
  if (status >= 500) return 'service-failed';
  if (status < 400) return 'bad-reply';
  const codes: Readonly<Record<number, FailureCode>> = refusals;
  return codes[status] ?? 'bad-request';
}

/** The failed chunk of a long text: `index` counts from 0; `start` and `end` are offsets in UTF-16 code units. */
export interface FailedChunk {
  index: number;
  count: number;
  start: number;
  end: number;
}

/** The figures of an exceeded budget, in `unit`. */
export interface BudgetFigures {
  per: 'day' | 'month' | 'message';
  unit: 'seconds' | 'credits';
  limit: number;
  /** Used in the period, today for the limit per message, with the reservations of running calls. */
  used: number;
  /** Predicted for the refused text. */
  needed: number;
  /** The end of the local day or month as an ISO 8601 time; undefined for the limit per message. */
  resets: string | undefined;
}

export interface SpeechErrorDetails {
  operation?: string | undefined;
  /** HTTP status of the reply; undefined without a reply. */
  status?: number | undefined;
  /** Number of times the request was sent. */
  attempts?: number | undefined;
  /** Seconds to wait before the next try. */
  retryAfter?: number | undefined;
  chunk?: FailedChunk | undefined;
  /** The error text of the service, shortened, without the key. */
  service?: string | undefined;
  /** Set if the code is `over-budget`. */
  budget?: BudgetFigures | undefined;
  cause?: unknown;
}

/** The only error class of the client. `code` is a key of `failures`; `route` is the kind of the failure. */
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
  readonly budget: BudgetFigures | undefined;
  /** The message with its key and values, for a translation. Undefined for a message without a key. */
  readonly text: Text | undefined;

  constructor(code: FailureCode, message: string | Text, details: SpeechErrorDetails = {}) {
    const english = typeof message === 'string' ? message : message.english;
    super(shortened(english), details.cause === undefined ? {} : { cause: details.cause });
    this.text = typeof message === 'string' ? undefined : message;
    this.code = code;
    this.route = failures[code].route;
    this.status = details.status;
    this.operation = details.operation;
    this.attempts = details.attempts ?? 0;
    this.retryAfter = details.retryAfter;
    this.chunk = details.chunk;
    this.service = details.service;
    this.budget = details.budget;
  }

  /** Returns a copy with more context; callers add it as the error propagates. */
  with(details: SpeechErrorDetails & { message?: string | Text }): SpeechError {
    const { message = this.text ?? this.message, ...more } = details;
    const error = new SpeechError(this.code, message, { ...this.details(), ...more });
    if (this.stack !== undefined) error.stack = this.stack.replace(this.message, () => error.message);
    return error;
  }

  private details(): SpeechErrorDetails {
    const { operation, status, attempts, retryAfter, chunk, service, budget, cause } = this;
    return { operation, status, attempts, retryAfter, chunk, service, budget, cause };
  }
}

/** Returns whether the client may send the call again. */
export function mayRetry(error: SpeechError, idempotent: boolean): boolean {
  const { retry } = failures[error.code];
  return retry === 'always' || (retry === 'if-idempotent' && idempotent);
}

/** Returns a thrown value as a SpeechError. Any other class means a defect of the client: `internal`. */
export function asSpeechError(thrown: unknown): SpeechError {
  if (thrown instanceof SpeechError) return thrown;
  return new SpeechError('internal', messageOf(thrown), { cause: thrown });
}

/** Any value can be thrown. Formatting it must not run code of the value. */
function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  return typeof thrown === 'string' ? thrown : inspect(thrown, { customInspect: false, depth: 0 });
}
