import { toServiceError } from '../http/reply.js';
import { WorkerError } from '../kit/worker-error.js';

/** The class of an error in the OpenAI API. */
export type ApiErrorType =
  | 'invalid_request_error'
  | 'insufficient_quota'
  | 'requests'
  | 'timeout_error'
  | 'server_error';

export interface ApiErrorOptions extends ErrorOptions {
  /** The field with the fault. */
  param?: string;
  code?: string;
  /** Whole seconds to wait before the caller sends the request again. */
  retryAfter?: number;
}

/** An error reply of the routes of the OpenAI API (docs/openai.md#errors). The message never contains a key. */
export class OpenAiError extends Error {
  override readonly name = 'OpenAiError';
  readonly param: string | undefined;
  readonly code: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(
    readonly status: number,
    readonly type: ApiErrorType,
    message: string,
    { param, code, retryAfter, ...options }: ApiErrorOptions = {},
  ) {
    super(message, options);
    this.param = param;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** Status, type and code in the OpenAI API for the statuses of the service. All other statuses stay. */
const known: Readonly<Record<number, readonly [status: number, type: ApiErrorType, code?: string]>> = {
  401: [401, 'invalid_request_error', 'invalid_api_key'],
  402: [429, 'insufficient_quota', 'insufficient_quota'],
  408: [408, 'timeout_error'],
  429: [429, 'requests', 'rate_limit_exceeded'],
  500: [500, 'server_error'],
  503: [503, 'server_error', 'overloaded'],
};

/** Converts a thrown value. An internal error becomes a 500 without its message and stack. */
export function toApiError(thrown: unknown): OpenAiError {
  if (thrown instanceof OpenAiError) return thrown;
  if (thrown instanceof WorkerError && thrown.code === 'refused') return refusedInput(thrown);
  const { status: httpStatus, message, retryAfter } = toServiceError(thrown);
  const [status, type, code] = known[httpStatus] ?? [httpStatus, 'invalid_request_error'];
  const details = { ...(code !== undefined && { code }), ...(retryAfter !== undefined && { retryAfter }) };
  return new OpenAiError(status, type, message, { cause: thrown, ...details });
}

/** The voice cannot speak the text, which is the field `input` of this API. */
function refusedInput(cause: WorkerError): OpenAiError {
  const message = cause.message.replace(/^text\b/, 'input');
  const details = { param: 'input', code: 'invalid_value', cause };
  return new OpenAiError(400, 'invalid_request_error', message, details);
}

/** Returns the body of an error reply, which is also the data of an error event. */
export function apiErrorBody({ message, type, param = null, code = null }: ReplyFields) {
  return { error: { message, type, param, code } };
}

/** Returns the error reply. A client must not repeat a request of an account without credits. */
export function apiErrorReply(error: OpenAiError): Response {
  const { status, retryAfter, type } = error;
  const headers = {
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(type === 'insufficient_quota' && { 'x-should-retry': 'false' }),
  };
  return Response.json(apiErrorBody(error), { status, headers });
}

interface ReplyFields {
  message: string;
  type: ApiErrorType;
  param?: string | null | undefined;
  code?: string | null | undefined;
}
