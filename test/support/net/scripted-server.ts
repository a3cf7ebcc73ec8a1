import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { wavOf } from '../audio-files.js';
import { close, listen } from './fault-server.js';

/** Whether a request reads one preset voice, as speech nodes do before they speak. */
const isVoiceLookup = ({ method, path }: Seen) =>
  method === 'GET' && /^\/v1\/voices\/(?!search$)[^/]+$/.test(path);

const nameOnly: Script = ({ path }) => ({
  body: { voice_id: decodeURIComponent(path.replace('/v1/voices/', '')) },
});

/** A received request. */
export interface Seen {
  method: string;
  /** Percent-encoded path without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The parsed JSON body. */
  json: Record<string, unknown>;
  /** Aborts if the connection closes before the reply is sent. */
  gone: AbortSignal;
}

/** A reply of the server. A body that is not a Buffer is sent as JSON. */
export interface Scripted {
  status?: number;
  headers?: Record<string, string>;
  trailers?: Record<string, string>;
  body?: unknown;
  /** Whether the server resets the connection in place of a reply. */
  lost?: boolean;
}

/** Returns the reply to a request. `index` is the number of earlier requests. */
export type Script = (request: Seen, index: number) => Scripted | Promise<Scripted>;

export interface ScriptedServer {
  url: string;
  port: number;
  /** Received requests in order. */
  requests: Seen[];
}

/** Returns a reply with speech: a WAV of `seconds`. */
export const spoken = (options?: Parameters<typeof wavOf>[0]): Scripted => ({
  headers: { 'content-type': 'audio/wav' },
  body: wavOf(options),
});

/** Returns an error reply in the format of docs/interface.md#error-body. */
export const refused = (status: number, headers: Record<string, string> = {}): Scripted => ({
  status,
  headers,
  body: { status: 'error', message: `refused with ${status}` },
});

/**
 * Runs `work` with an HTTP service that replies by `script`, then closes the service and its connections.
 * @param tls makes it an HTTPS service
 * @param options if `describesVoices` is false, each lookup of a voice returns only its identifier, and is not recorded
 */
export async function withServer<Result>(
  script: Script,
  work: (server: ScriptedServer) => Promise<Result>,
  tls?: ServerOptions,
  { describesVoices = true } = {},
): Promise<Result> {
  const requests: Seen[] = [];
  const serve: RequestListener = (incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const { method = '', url = '/', headers } = incoming;
      const request = seen(method, url, headers, Buffer.concat(pieces), response);
      if (!describesVoices && isVoiceLookup(request))
        return void answer(response, nameOnly, request, requests.length);
      requests.push(request);
      void answer(response, script, request, requests.length - 1);
    });
  };
  const server = tls ? createTlsServer(tls, serve) : createServer(serve);
  const port = await listen(server);
  try {
    return await work({ url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, port, requests });
  } finally {
    server.closeAllConnections();
    await close(server);
  }
}

function seen(
  method: string,
  url: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
  response: ServerResponse,
): Seen {
  const { pathname, searchParams } = new URL(url, 'http://service');
  const gone = new AbortController();
  response.once('close', () => response.writableEnded || gone.abort());
  const isJson = headers['content-type'] === 'application/json';
  const json: Seen['json'] = isJson ? JSON.parse(body.toString('utf8')) : {};
  return { method, path: pathname, query: searchParams, headers, body, json, gone: gone.signal };
}

async function answer(response: ServerResponse, script: Script, request: Seen, index: number): Promise<void> {
  const { status = 200, headers, trailers, body, lost = false } = await script(request, index);
  if (lost) return void response.destroy();
  const bytes = body instanceof Uint8Array || body === undefined ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  if (bytes !== undefined) response.write(bytes);
  if (trailers) response.addTrailers(trailers);
  response.end();
}
