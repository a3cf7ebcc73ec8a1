import { setMaxListeners } from 'node:events';
import { reasonOf } from '../abort.js';
import { Exchange, type HttpReply } from './exchange.js';
import { createDispatcher, type NetworkOptions } from './network.js';
import type { HttpRequest } from './request.js';
import { transportFailure } from './transport-failure.js';
import type { TransportOptions } from './transport-options.js';

/** Sends requests to one service, one HTTP exchange per request. */
export interface Transport {
  /** Resolves with the complete reply, whatever its status. @throws SpeechError if no complete reply arrives */
  exchange(request: HttpRequest, signal: AbortSignal): Promise<HttpReply>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/**
 * Creates the transport for one service.
 * @param url base address without `/v1`
 * @param key sent in the header `x-sup-api-key` only (docs/interface.md#authentication); undefined sends no header
 * @throws SpeechError `not-configured` for an invalid proxy or TLS option
 */
export function createTransport(
  url: string,
  key: string | undefined,
  options: TransportOptions,
  network: NetworkOptions = {},
): Transport {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/$/, '');
  const secret = key === undefined ? {} : { 'x-sup-api-key': key };
  const redact = key === undefined ? (reply: HttpReply) => reply : redactorOf(key);
  // `destroy()` does not abort pending connects; this signal does.
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const dispatcher = createDispatcher(url, options, network, closing.signal);
  return {
    exchange: ({ method, path, headers, body }, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(reasonOf(signal));
        const stop = () => exchange.abort(reasonOf(signal));
        const exchange = new Exchange(options.maxReplyBytes, {
          done(reply) {
            signal.removeEventListener('abort', stop);
            resolve(redact(reply));
          },
          failed(error) {
            signal.removeEventListener('abort', stop);
            reject(transportFailure(error));
          },
        });
        signal.addEventListener('abort', stop, { once: true });
        const request = { origin, path: base + path, method, headers: { ...headers, ...secret }, body };
        dispatcher.dispatch(request, exchange);
      }),
    async close() {
      await dispatcher.destroy();
      closing.abort();
    },
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
    // A type that is shorter than the key, as usual, cannot contain the key.
    if (type !== undefined && type.length >= key.length) {
      headers['content-type'] = type.replace(spellings, '***');
    }
    if (status < 300) return reply;
    return { ...reply, body: Buffer.from(body.toString('utf8').replace(spellings, '***')) };
  };
}

/** Matches a key as JSON may spell it: each character plain, after a backslash, or as `\u` with its code. */
function spellingsOf(key: string): RegExp {
  const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0');
  const each = key.split('').map((one) => `(?:\\\\?\\u${hex(one)}|\\\\u${hex(one)})`);
  return new RegExp(each.join(''), 'gi');
}
