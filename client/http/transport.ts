import { setMaxListeners } from 'node:events';
import type { Stop } from '../base/abort.js';
import { Exchange, type HttpReply } from './exchange.js';
import { createDispatcher, type NetworkOptions } from './network.js';
import type { HttpRequest } from './request.js';
import { transportFailure } from './transport-failure.js';
import type { TransportOptions } from './transport-options.js';

/** Sends requests to one service, one HTTP exchange per request. */
interface Transport {
  /**
   * Resolves with the complete reply, whatever its status.
   * @param maxBytes limit of a reply without error; default: `maxReplyBytes`
   * @throws SpeechError if no complete reply arrives
   */
  exchange(request: HttpRequest, stop: Stop, maxBytes?: number): Promise<HttpReply>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Sends a request in another way than `direct`, the transport of the call. @throws SpeechError as `exchange` */
export type Deliver = (
  request: HttpRequest,
  signal: AbortSignal,
  maxBytes: number,
  direct: () => Promise<HttpReply>,
) => Promise<HttpReply>;

/**
 * Creates the transport for one service.
 * @param url base address without `/v1`
 * @param key sent in the header of `login` only; undefined sends no header
 * @param login returns the header with the key. Default: `x-sup-api-key` (docs/interface.md#authentication)
 * @throws SpeechError `not-configured` for an invalid proxy or TLS option
 */
export function createTransport(
  url: string,
  key: string | undefined,
  options: TransportOptions,
  network: NetworkOptions = {},
  login: (key: string) => Record<string, string> = (secret) => ({ 'x-sup-api-key': secret }),
): Transport {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/$/, '');
  const secret = key === undefined ? {} : login(key);
  const redact = key === undefined ? (reply: HttpReply) => reply : redactorOf(key);
  // `destroy()` does not abort pending connects; this signal does.
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const dispatcher = createDispatcher(url, options, network, closing.signal);
  return {
    exchange: ({ method, path, headers, body }, stop, maxBytes = options.maxReplyBytes) =>
      new Promise((resolve, reject) => {
        if (stop.reason !== undefined) return reject(stop.reason);
        const exchange = new Exchange(maxBytes, {
          done(reply) {
            stop.onStop = undefined;
            resolve(redact(reply));
          },
          failed(error) {
            stop.onStop = undefined;
            reject(transportFailure(error));
          },
        });
        stop.onStop = (reason) => exchange.abort(reason);
        const request = { origin, path: base + path, method, headers: { ...headers, ...secret }, body };
        dispatcher.dispatch(request, exchange);
      }),
    async close() {
      await dispatcher.destroy();
      closing.abort();
    },
  };
}

/** The address of a service, and the key that it accepts. */
export interface ServiceAddress {
  /** Base URL without `/v1`. */
  url: string;
  apiKey: string;
}

/** The connections to a service that may move. `current` is a closure, so that `inspect()` shows no key. */
export interface MovingConnection<Connection> {
  current(): Connection;
  /** Base URL of the current connection. */
  url(): string;
  /** Sends later requests to another address. Requests in work stay at their address. */
  moveTo(address: ServiceAddress): void;
  close(): Promise<void>;
}

/** Follows a service that may move. @param open opens the connection to an address */
export function movingConnection<Connection extends { close(): Promise<void> }>(
  first: ServiceAddress,
  open: (address: ServiceAddress) => Connection,
): MovingConnection<Connection> {
  let address = first;
  let current = open(first);
  let former: Connection | undefined;
  return {
    current: () => current,
    url: () => address.url,
    moveTo(next) {
      if (next.url === address.url && next.apiKey === address.apiKey) return;
      // Its service has ended two moves ago, and all its requests with it.
      void former?.close();
      [address, former, current] = [next, current, open(next)];
    },
    close: async () => void (await Promise.all([current.close(), former?.close()])),
  };
}

/**
 * Returns a function that removes the key from a reply: a service may repeat the key in an error ("no such key: ...").
 * Of a successful reply, errors quote the content type only, so its body stays unchanged.
 */
function redactorOf(key: string): (reply: HttpReply) => HttpReply {
  const spellings = spellingsOf(key);
  return (reply) => {
    const { status, headers, body } = reply;
    const type = headers['content-type'];
    if (type !== undefined) headers['content-type'] = type.replace(spellings, '***');
    if (status < 300) return reply;
    return { ...reply, body: Buffer.from(body.toString('utf8').replace(spellings, '***')) };
  };
}

/** Matches a key in plain text and in base64, as JSON or a URL may spell it. */
function spellingsOf(key: string): RegExp {
  const texts = [key, ...inBase64(key)];
  return new RegExp(texts.map((text) => text.split('').map(spellingOf).join('')).join('|'), 'gi');
}

/** Matches a character: plain, after a backslash, as `\u` with its code, or percent-encoded. */
function spellingOf(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(4, '0');
  return `(?:\\\\?\\u${hex}|\\\\u${hex}|%${hex.slice(2)})`;
}

/** Fewest base64 characters that are masked. A shorter piece could occur in any text. */
const MIN_BASE64 = 6;

/**
 * Returns the base64 characters that depend only on the key, also if other bytes precede or follow it in the encoded
 * text. Base64 encodes groups of 3 bytes, so the key can begin at 3 places of a group.
 */
function inBase64(key: string): string[] {
  const bytes = Buffer.from(key);
  const pieces = [0, 1, 2].map((before) => {
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    return Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(first, last);
  });
  const urlSafe = pieces.map((piece) => piece.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([...pieces, ...urlSafe])].filter((piece) => piece.length >= MIN_BASE64);
}
