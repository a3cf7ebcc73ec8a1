import { type FailureCode, SpeechError } from '../errors.js';

/**
 * Failure code and message of each error code of undici and Node.js. For any other code, it is unknown if the service
 * executed the request: `no-reply`.
 */
const faults: Readonly<Record<string, readonly [FailureCode, string]>> = {
  ECONNREFUSED: ['no-connection', 'connection refused: nothing listens at this address'],
  ENOTFOUND: ['no-connection', 'unknown host name'],
  EAI_AGAIN: ['no-connection', 'the host name lookup failed temporarily'],
  EHOSTUNREACH: ['no-connection', 'the host is unreachable'],
  ENETUNREACH: ['no-connection', 'the network is unreachable'],
  UND_ERR_CONNECT_TIMEOUT: ['no-connection', 'no connection within the timeout'],
  UND_ERR_HEADERS_TIMEOUT: ['no-reply', 'no reply within the timeout'],
  UND_ERR_BODY_TIMEOUT: ['no-reply', 'the reply stalled'],
  UND_ERR_HEADERS_OVERFLOW: ['bad-reply', 'the headers of the reply are too large'],
  UND_ERR_INVALID_ARG: ['internal', 'the HTTP request is invalid'],
  ECONNRESET: ['no-reply', 'the connection was lost'],
  EPIPE: ['no-reply', 'the connection was lost'],
  UND_ERR_SOCKET: ['no-reply', 'the connection closed before the reply was complete'],
};

/** Converts an error of undici or Node.js to a SpeechError. */
export function transportFailure(thrown: unknown): SpeechError {
  if (thrown instanceof SpeechError) return thrown;
  const fault = firstFault(thrown);
  const refusal = refusedByProxy(fault);
  if (refusal !== undefined) return refusal;
  const code = codeOf(fault);
  const [failure, message] = faults[code] ?? unlisted(code);
  return new SpeechError(failure, `${message} (${code})`, { cause: bare(fault, code) });
}

/** Converts a connect error, including TLS. The request was not sent. */
export function connectFailure(thrown: unknown): SpeechError {
  const { code, message, cause } = transportFailure(thrown);
  return new SpeechError(code === 'insecure-connection' ? code : 'no-connection', message, { cause });
}

/** Converts an error of the connection to a proxy. */
export function proxyFailure(thrown: unknown): SpeechError {
  const { code, message, cause } = connectFailure(thrown);
  return new SpeechError(code, `the proxy: ${message}`, { cause });
}

/** Recognizes a proxy that refuses CONNECT (RFC 9110, 9.3.6). undici has its status only in the message. */
function refusedByProxy(fault: unknown): SpeechError | undefined {
  const [, digits] = /^Proxy response \((\d{3})\)/.exec(fault instanceof Error ? fault.message : '') ?? [];
  if (digits === undefined) return undefined;
  const status = Number(digits);
  if (status === 407) {
    return new SpeechError(
      'not-configured',
      'the proxy refused the user name or password (407): enter valid ones',
    );
  }
  return status >= 500
    ? new SpeechError('no-connection', `the proxy cannot reach the service (${status})`)
    : new SpeechError('not-configured', `the proxy refused the connection to the service (${status})`);
}

function unlisted(code: string): readonly [FailureCode, string] {
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return ['insecure-connection', 'the certificate is not trusted, or the server does not use TLS'];
  }
  if (/^(HPE_|HTTPParserError)/.test(code)) return ['no-reply', 'the reply is not valid HTTP'];
  return ['no-reply', 'the connection failed'];
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
