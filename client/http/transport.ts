import { setMaxListeners } from 'node:events';
import { type Dispatcher, request as send } from 'undici';
import { reasonOf, throwIfAborted } from '../abort.js';
import { SpeechError } from '../errors.js';
import { createDispatcher, type NetworkOptions } from './network.js';
import type { WireRequest } from './request.js';
import { transportFailure } from './transport-failure.js';

export const wireDefaults = {
  /** Milliseconds until a connection must stand, DNS and TLS included. */
  connectTimeout: 10_000,
  /** Milliseconds until the first byte of a reply. */
  firstByteTimeout: 60_000,
  /** Milliseconds that a reply may pause while it is read. */
  idleTimeout: 30_000,
  /** Bytes of one reply: speech of 300 characters is at most a minute, about 12 MB as stereo WAV of 48 kHz. */
  maxReplyBytes: 32_000_000,
  /** Connections that are open at a time. */
  connections: 8,
};

export type WireOptions = typeof wireDefaults;

/** A reply, read to its end. */
export interface WireReply {
  status: number;
  /** Header names are in lower case; of a repeated header the last one. */
  headers: Record<string, string>;
  trailers: Record<string, string>;
  body: Buffer;
}

/** Exactly one HTTP exchange with a service. */
export interface Wire {
  /** @throws SpeechError when no whole reply came; whatever its status, a whole reply is returned */
  exchange(request: WireRequest, signal: AbortSignal): Promise<WireReply>;
  /** Ends every connection. */
  close(): Promise<void>;
}

/**
 * Opens the way to one service.
 * @param url base address without `/v1`
 * @param key sent in the header `x-sup-api-key` only (docs/interface.md#authentication); undefined sends no header
 * @throws SpeechError `not-configured` for a proxy or TLS option that can't be used
 */
export function createWire(
  url: string,
  key: string | undefined,
  options: WireOptions,
  network: NetworkOptions = {},
): Wire {
  const secret = key === undefined ? {} : { 'x-sup-api-key': key };
  const echoes = key === undefined ? undefined : spellings(key);
  // To destroy the dispatcher ends every connection but those that are still being made.
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const dispatcher = createDispatcher(url, options, network, closing.signal);
  return {
    async exchange({ method, path, headers, body }, signal) {
      throwIfAborted(signal);
      try {
        const sending = send(url + path, {
          dispatcher,
          method,
          headers: { ...headers, ...secret },
          body,
          signal,
        });
        const reply = await untilAborted(sending, signal);
        const whole = await readReply(reply, options.maxReplyBytes);
        return echoes === undefined ? whole : withoutKey(whole, echoes);
      } catch (thrown) {
        if (signal.aborted) throw reasonOf(signal);
        throw transportFailure(thrown);
      }
    },
    async close() {
      await dispatcher.destroy();
      closing.abort();
    },
  };
}

/** The dispatcher looks at a signal only once it has a connection: nobody should wait for that. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(reasonOf(signal));
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Reading the body belongs to the exchange: a reply that is kept unread can be dropped by the runtime. */
async function readReply(reply: Dispatcher.ResponseData, maxBytes: number): Promise<WireReply> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const body: AsyncIterable<Buffer> = reply.body;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) {
      throw new SpeechError('bad-reply', `the reply is larger than ${maxBytes} bytes`, {
        status: reply.statusCode,
      });
    }
    pieces.push(piece);
  }
  return {
    status: reply.statusCode,
    headers: flat(reply.headers),
    trailers: flat(reply.trailers),
    body: Buffer.concat(pieces, bytes),
  };
}

/**
 * A reply without the key, which a service may repeat in its words ("no such key: …"). Of a successful reply only the
 * type is ever quoted; its body is data.
 */
function withoutKey(reply: WireReply, key: RegExp): WireReply {
  const type = reply.headers['content-type'];
  const headers = {
    ...reply.headers,
    ...(type !== undefined && { 'content-type': type.replace(key, '***') }),
  };
  if (reply.status < 300) return { ...reply, headers };
  return { ...reply, headers, body: Buffer.from(reply.body.toString('utf8').replace(key, '***')) };
}

/** A key as JSON may spell it: each character as itself, behind a backslash, or as its code. */
function spellings(key: string): RegExp {
  const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0');
  const each = key.split('').map((one) => `(?:\\\\?\\u${hex(one)}|\\\\u${hex(one)})`);
  return new RegExp(each.join(''), 'gi');
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const last = Array.isArray(value) ? value.at(-1) : value;
      return last === undefined ? [] : [[name.toLowerCase(), last]];
    }),
  );
}
