import { Agent, type Dispatcher, request as send } from 'undici';
import { reasonOf } from './abort.js';
import { SpeechError } from './errors.js';
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
 * @param key goes in the header `x-sup-api-key` and nowhere else (service-api.md, 5)
 */
export function createWire(url: string, key: string, options: WireOptions): Wire {
  const dispatcher = new Agent({
    connect: { timeout: options.connectTimeout },
    connections: options.connections,
    headersTimeout: options.firstByteTimeout,
    bodyTimeout: options.idleTimeout,
  });
  return {
    async exchange({ method, path, headers, body }, signal) {
      try {
        const reply = await send(url + path, {
          dispatcher,
          method,
          headers: { ...headers, 'x-sup-api-key': key },
          body,
          signal,
        });
        return withoutKey(await readReply(reply, options.maxReplyBytes), key);
      } catch (thrown) {
        if (signal.aborted) throw reasonOf(signal);
        throw transportFailure(thrown);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** Reading the body belongs to the exchange: a reply that is kept unread can be dropped by the runtime. */
async function readReply(reply: Dispatcher.ResponseData, maxBytes: number): Promise<WireReply> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of reply.body as AsyncIterable<Buffer>) {
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

/** A service may repeat the key in its words ("no such key: …"): none of that goes further than this. */
function withoutKey(reply: WireReply, key: string): WireReply {
  if (reply.headers['content-type']?.startsWith('audio/') || !reply.body.includes(key)) return reply;
  return { ...reply, body: Buffer.from(reply.body.toString('utf8').replaceAll(key, '***')) };
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const last = Array.isArray(value) ? value.at(-1) : value;
      return last === undefined ? [] : [[name.toLowerCase(), last]];
    }),
  );
}
