import { type FailureCode, SpeechError } from '../base/errors.js';
import { messageOf, type Text, text } from '../base/messages.js';

type Fault = readonly [FailureCode, Text];

/**
 * Failure code and message of each error code of undici and Node.js. For any other code, it is unknown if the service
 * executed the request: `no-reply`.
 */
const faults: Readonly<Record<string, Fault>> = {
  ECONNREFUSED: ['no-connection', text('refused')],
  ENOTFOUND: ['no-connection', text('host-unknown')],
  EAI_AGAIN: ['no-connection', text('host-lookup')],
  EHOSTUNREACH: ['no-connection', text('host-unreachable')],
  ENETUNREACH: ['no-connection', text('network-unreachable')],
  UND_ERR_CONNECT_TIMEOUT: ['no-connection', text('connect-timeout')],
  UND_ERR_HEADERS_TIMEOUT: ['no-reply', text('reply-timeout')],
  UND_ERR_BODY_TIMEOUT: ['no-reply', text('reply-stalled')],
  UND_ERR_HEADERS_OVERFLOW: ['bad-reply', text('reply-headers')],
  UND_ERR_INVALID_ARG: ['internal', text('request-invalid')],
  ECONNRESET: ['no-reply', text('connection-lost')],
  EPIPE: ['no-reply', text('connection-lost')],
  UND_ERR_SOCKET: ['no-reply', text('connection-closed')],
};

/** Converts an error of undici or Node.js to a SpeechError. */
export function transportFailure(thrown: unknown): SpeechError {
  if (thrown instanceof SpeechError) return thrown;
  const fault = firstFault(thrown);
  const refusal = refusedByProxy(fault);
  if (refusal !== undefined) return refusal;
  const code = codeOf(fault);
  const [failureCode, failure] = faults[code] ?? unlisted(code);
  return new SpeechError(failureCode, text('with-code', { failure, code }), { cause: bare(fault, code) });
}

/** Converts a connect error, including TLS. The request was not sent. */
export function connectFailure(thrown: unknown): SpeechError {
  const error = transportFailure(thrown);
  const { code, cause } = error;
  return new SpeechError(code === 'insecure-connection' ? code : 'no-connection', messageOf(error), {
    cause,
  });
}

/** Converts an error of the connection to a proxy. */
export function proxyFailure(thrown: unknown): SpeechError {
  const error = connectFailure(thrown);
  return new SpeechError(error.code, text('proxy', { failure: messageOf(error) }), { cause: error.cause });
}

/** Recognizes a proxy that refuses CONNECT (RFC 9110, 9.3.6). undici has its status only in the message. */
function refusedByProxy(fault: unknown): SpeechError | undefined {
  const [, digits] = /^Proxy response \((\d{3})\)/.exec(fault instanceof Error ? fault.message : '') ?? [];
  if (digits === undefined) return undefined;
  const status = Number(digits);
  if (status === 407) {
    return new SpeechError('not-configured', text('proxy-login'));
  }
  return status >= 500
    ? new SpeechError('no-connection', text('proxy-failed', { status }))
    : new SpeechError('not-configured', text('proxy-refused', { status }));
}

function unlisted(code: string): Fault {
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return ['insecure-connection', text('certificate')];
  }
  if (/^(HPE_|HTTPParserError)/.test(code)) return ['no-reply', text('reply-http')];
  return ['no-reply', text('connection-failed')];
}

/** Node.js tries all addresses of a host (RFC 8305). The first error stands for all. */
function firstFault(thrown: unknown): unknown {
  return thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown;
}

function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'unknown';
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : thrown.name;
}

/** Copies the message and code of a cause. A parser error of undici also has the raw reply, which may contain the key. */
function bare(thrown: unknown, code: string): Error {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return Object.assign(new Error(message.slice(0, 200)), { code });
}
