import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import type { createApp } from './app.js';
import { answerBrokenRequests } from './broken-requests.js';
import { errorReply, toServiceError } from './reply.js';
import { ServiceError } from '../errors.js';

/** Milliseconds. */
export interface HttpTimeouts {
  /** A request must be here by then, body and all. */
  request: number;
  /** Its headers must be here by then. */
  headers: number;
  /** A connection without a request stays open so long. */
  keepAlive: number;
  /** A connection on which nothing moves stays open so long. */
  idle: number;
}

/** Milliseconds between two looks at who is too slow. */
const CHECK_INTERVAL = 1000;
/** Connections at a time; more are closed at once. */
const MAX_CONNECTIONS = 1000;

/** A server of the app that does not listen yet. */
export function makeServer(app: ReturnType<typeof createApp>, timeouts: HttpTimeouts): Server {
  const options = {
    requestTimeout: timeouts.request,
    headersTimeout: Math.min(timeouts.headers, timeouts.request),
    keepAliveTimeout: timeouts.keepAlive,
    connectionsCheckingInterval: Math.min(CHECK_INTERVAL, timeouts.headers),
    requireHostHeader: false, // The app has an answer in words to a request without one.
  };
  const server = createServer(options, listener(app));
  answerBrokenRequests(server);
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(timeouts.idle);
  return server;
}

/** Without its usual replacement of the global Request and Response: this may run inside somebody else's process. */
function listener(app: ReturnType<typeof createApp>) {
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler });
  return (...exchange: Parameters<typeof answer>) => void answer(...exchange);
}

/** A target or a Host header that makes no address does not even reach the app. */
function errorHandler(error: unknown): Response {
  const isRequest = error instanceof Error && error.name === 'RequestError';
  const answer = isRequest
    ? new ServiceError(400, 'the target or the host of the request is no address')
    : error;
  return errorReply(toServiceError(answer));
}

/** @throws when the port is in use, or the address is none of this machine */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

/** An address that stands for all of them is reached by the one of this machine. */
export function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = isAddress(address) ? address.port : 0;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

/** Takes no more requests, lets those in flight end within `grace` milliseconds, then cuts them off. */
export async function closeServer(server: Server, closing: AbortController, grace: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const done = new AbortController();
  const outOfTime = delay(grace, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([closed, outOfTime]);
  done.abort();
  closing.abort(new ServiceError(503, 'the service is closing', { retryAfter: 1 }));
  server.closeAllConnections();
  await closed;
}
