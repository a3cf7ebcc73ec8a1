import { isErrno } from '@herald-speech/client/files';
import type { Dispatcher } from 'undici';
import { NaturalVoiceError, type NaturalVoiceFailure } from '../../installed/errors.js';

interface TransferErrorOptions extends ErrorOptions {
  kind?: NaturalVoiceFailure;
  /** Whether another try can succeed. Default false. */
  isTemporary?: boolean;
  /** Milliseconds to wait before another try. */
  wait?: number;
}

/** A failed HTTP exchange with the source of the voices. The message names the address, the cause and the fix. */
export class TransferError extends NaturalVoiceError {
  readonly isTemporary: boolean;
  readonly wait: number;

  constructor(message: string, options: TransferErrorOptions = {}) {
    const { kind = 'network', isTemporary = false, wait = 0, cause } = options;
    super(kind, message, { cause });
    this.isTemporary = isTemporary;
    this.wait = wait;
  }
}

/** The address without a login and a query, which can contain secrets. */
export const shown = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`;

const TEMPORARY_STATUSES = [408, 425, 429, 500, 502, 503, 504];
const MAX_WAIT_SECONDS = 60;

/** Returns the error of a status that the request does not handle. */
export function badStatus(url: URL, { statusCode, headers }: Dispatcher.ResponseData): TransferError {
  const address = `${shown(url)}: HTTP status ${statusCode}`;
  if (statusCode === 404 || statusCode === 410) {
    const fix = 'The mirror has no such file: refresh the catalogue or correct the address of the mirror';
    return new TransferError(`${address}. ${fix}`, { kind: 'not-found' });
  }
  if (TEMPORARY_STATUSES.includes(statusCode)) {
    const wait = 1000 * Math.min(MAX_WAIT_SECONDS, Number(headers['retry-after']) || 0);
    return new TransferError(`${address}. Try again later`, { isTemporary: true, wait });
  }
  return new TransferError(`${address}. Check the address of the mirror and its access rights`);
}

const REFUSED = 'the server refuses the connection';
const LOST = 'the connection was lost';
const SLOW = 'the server is too slow or does not answer';
const UNREACHABLE = 'the network or the server is unreachable';

/** Causes that another try can remove, by the error codes of undici and Node.js. */
const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: REFUSED,
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the name server does not answer',
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: SLOW,
  UND_ERR_CONNECT_TIMEOUT: SLOW,
  UND_ERR_HEADERS_TIMEOUT: SLOW,
  UND_ERR_BODY_TIMEOUT: SLOW,
  ECONNRESET: LOST,
  EPIPE: LOST,
  UND_ERR_SOCKET: LOST,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: LOST,
};

const CERTIFICATE = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/;

/** Converts an error of undici or of a socket to a TransferError. Returns any other error unchanged. */
export function brokenConnection(thrown: unknown, url: URL): unknown {
  const error = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
  if (!isErrno(error)) return thrown;
  const { code, message } = error;
  const [refusal] = /^Proxy response \(\d{3}\)/.exec(message) ?? [];
  if (refusal !== undefined)
    return new TransferError(`${shown(url)}: ${refusal}. Check HTTPS_PROXY and its login`);
  const say = (problem: string) => `${shown(url)}: ${problem} (${code})`;
  if (CERTIFICATE.test(code)) {
    const fix = 'name the file of its authority in NODE_EXTRA_CA_CERTS';
    return new TransferError(say(`the certificate of the server is not trusted: ${fix}`), { cause: error });
  }
  const cause =
    causes[code] ?? (/^(HPE_|UND_ERR)/.test(code) ? `wrong HTTP reply, ${message.slice(0, 100)}` : undefined);
  if (cause === undefined) return thrown;
  const fix =
    'Check the network and the proxy (HTTPS_PROXY), or import the voice from a folder (herald-service voices import FOLDER)';
  return new TransferError(`${say(cause)}. ${fix}`, { isTemporary: true, cause: error });
}
