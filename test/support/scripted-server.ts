import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { wavOf } from './audio-files.js';
import { close, listen } from './fault-server.js';

/** A request as the service saw it. */
export interface Seen {
  method: string;
  /** Without query, still percent-encoded. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The body as JSON. */
  json: Record<string, unknown>;
  /** Fires when the connection is gone before the reply was sent. */
  gone: AbortSignal;
}

/** A reply as a test writes it; what is no Buffer goes as JSON. */
export interface Scripted {
  status?: number;
  headers?: Record<string, string>;
  trailers?: Record<string, string>;
  body?: unknown;
}

/** Answers each request, told how many came before it. */
export type Script = (request: Seen, index: number) => Scripted | Promise<Scripted>;

export interface ScriptedServer {
  url: string;
  port: number;
  /** In the order they came. */
  requests: Seen[];
}

/** A good reply to speech: a WAV of `seconds`. */
export const spoken = (options?: Parameters<typeof wavOf>[0]): Scripted => ({
  headers: { 'content-type': 'audio/wav' },
  body: wavOf(options),
});

/** A refusal in the words of the interface (docs/interface.md#error-body). */
export const refused = (status: number, headers: Record<string, string> = {}): Scripted => ({
  status,
  headers,
  body: { status: 'error', message: `refused with ${status}` },
});

/**
 * Runs `work` against an HTTP service that answers as `script` says, and ends it with all its connections.
 * @param tls makes it one of HTTPS
 */
export async function withServer<Result>(
  script: Script,
  work: (server: ScriptedServer) => Promise<Result>,
  tls?: ServerOptions,
): Promise<Result> {
  const requests: Seen[] = [];
  const serve: RequestListener = (incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const { method = '', url = '/', headers } = incoming;
      const request = seen(method, url, headers, Buffer.concat(pieces), response);
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
  const { status = 200, headers, trailers, body } = await script(request, index);
  const bytes = body instanceof Uint8Array || body === undefined ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  if (bytes !== undefined) response.write(bytes);
  if (trailers) response.addTrailers(trailers);
  response.end();
}
