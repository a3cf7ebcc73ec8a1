import { isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { SpeechError } from '../../base/errors.js';
import { text } from '../../base/messages.js';

/** The port that Wyoming servers of speech use. */
const DEFAULT_PORT = 10_200;
const MAX_PORT = 65_535;

/** The place of a server. */
export interface TcpPlace {
  /** A host name or an IP address, without brackets. */
  host: string;
  port: number;
}

/**
 * Reads an address as typed: `tcp://host:port`, `host:port` or `host`. An IPv6 address with a port needs brackets.
 * @throws SpeechError `not-configured`
 */
export function placeOf(typed: unknown): TcpPlace {
  const field = 'url';
  if (typeof typed !== 'string' || typed.trim() === '')
    throw new SpeechError('not-configured', text('wyoming-address-missing', { field }));
  const address = typed.trim().replace(/^tcp:\/\//i, '');
  if (isIPv6(address)) return { host: address.toLowerCase(), port: DEFAULT_PORT };
  const [, bracketed, name = '', digits] =
    /^(?:\[([^[\]]+)\]|([^[\]:/?#@\\\s]{1,253}))(?::(\d{1,5}))?\/?$/.exec(address) ?? [];
  const port = digits === undefined ? DEFAULT_PORT : Number(digits);
  const host = bracketed === undefined ? domainToASCII(name) : bracketed.toLowerCase();
  const isHost = bracketed === undefined ? host !== '' : isIPv6(host);
  if (isHost && port > 0 && port <= MAX_PORT) return { host, port };
  throw new SpeechError('not-configured', text('wyoming-address-invalid', { field }));
}

/** Returns an address in its only form, such as `tcp://speech.local:10200`. */
export const tcpUrlOf = ({ host, port }: TcpPlace): string =>
  `tcp://${host.includes(':') ? `[${host}]` : host}:${port}`;
