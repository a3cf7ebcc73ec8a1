import { type FailureCode, SpeechError } from '../errors.js';

/**
 * What the faults of a connection mean. Anything else that happens below HTTP leaves open whether the request was
 * done: `no-reply`.
 */
const faults: Readonly<Record<string, readonly [FailureCode, string]>> = {
  ECONNREFUSED: ['no-connection', 'nothing answers at this address'],
  ENOTFOUND: ['no-connection', "the service's name is not known (DNS)"],
  EAI_AGAIN: ['no-connection', "the service's name can't be looked up just now (DNS)"],
  EHOSTUNREACH: ['no-connection', 'there is no way to the service'],
  ENETUNREACH: ['no-connection', 'there is no network'],
  UND_ERR_CONNECT_TIMEOUT: ['no-connection', 'no connection in time'],
  UND_ERR_HEADERS_TIMEOUT: ['no-reply', 'no answer in time'],
  UND_ERR_BODY_TIMEOUT: ['no-reply', 'the answer stopped half-way'],
  UND_ERR_HEADERS_OVERFLOW: ['bad-reply', "the reply's headers are too large"],
  UND_ERR_INVALID_ARG: ['internal', 'the request is not one of HTTP'],
  ECONNRESET: ['no-reply', 'the connection was lost'],
  EPIPE: ['no-reply', 'the connection was lost'],
  UND_ERR_SOCKET: ['no-reply', 'the connection was closed before the whole answer came'],
};

/** A fault of undici or the system as a SpeechError. */
export function transportFailure(thrown: unknown): SpeechError {
  if (thrown instanceof SpeechError) return thrown;
  const fault = firstFault(thrown);
  const refusal = refusedByProxy(fault);
  if (refusal !== undefined) return refusal;
  const code = codeOf(fault);
  const [failure, words] = faults[code] ?? unlisted(code);
  return new SpeechError(failure, `${words} (${code})`, { cause: bare(fault, code) });
}

/** A fault while a connection is made, its TLS included: whatever it is, nothing was sent. */
export function connectFailure(thrown: unknown): SpeechError {
  const { code, message, cause } = transportFailure(thrown);
  return new SpeechError(code === 'insecure-connection' ? code : 'no-connection', message, { cause });
}

/** A fault on the way to a proxy. */
export function proxyFailure(thrown: unknown): SpeechError {
  const { code, message, cause } = connectFailure(thrown);
  const words = message.replace("the service's", 'its').replace('the service', 'it');
  return new SpeechError(code, `the proxy: ${words}`, { cause });
}

/** A proxy that answers, but lets nobody through (RFC 9110, 9.3.6): undici tells its status in words alone. */
function refusedByProxy(fault: unknown): SpeechError | undefined {
  const [, digits] = /^Proxy response \((\d{3})\)/.exec(fault instanceof Error ? fault.message : '') ?? [];
  if (digits === undefined) return undefined;
  const status = Number(digits);
  if (status === 407) {
    return new SpeechError('not-configured', 'the proxy wants a user name and password, or others (407)');
  }
  return status >= 500
    ? new SpeechError('no-connection', `the proxy can't reach the service (${status})`)
    : new SpeechError('not-configured', `the proxy does not let through to the service (${status})`);
}

function unlisted(code: string): readonly [FailureCode, string] {
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return ['insecure-connection', "the service's certificate can't be trusted, or it does not speak TLS"];
  }
  if (/^(HPE_|HTTPParserError)/.test(code)) return ['no-reply', 'the answer is not proper HTTP'];
  return ['no-reply', 'the connection failed'];
}

/** Several addresses of one name were tried (happy eyeballs, RFC 8305): the first one's fault speaks for all. */
function firstFault(thrown: unknown): unknown {
  return thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown;
}

function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'unknown';
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : thrown.name;
}

/** The cause without what undici hangs on it: a parser error carries the raw reply, which may echo a key. */
function bare(thrown: unknown, code: string): Error {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return Object.assign(new Error(message.slice(0, 200)), { code });
}
