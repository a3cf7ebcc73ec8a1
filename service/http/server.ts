import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import type { createApp } from './app.js';
import { answerBrokenRequests } from './broken-requests.js';
import { type ConnectionLimit, connectionLimits } from './connection-limit.js';
import { errorReply, invalidUrl, RETRY_AFTER, toServiceError } from './reply.js';
import { ServiceError } from '../kit/errors.js';

/** Time limits in milliseconds. */
export interface HttpTimeouts {
  /** Until a request has arrived completely, with its body. */
  request: number;
  /** Until the headers of a request have arrived. */
  headers: number;
  /** Until a connection without a request closes. */
  keepAlive: number;
  /** Until a connection without any traffic closes. */
  idle: number;
}

/** Milliseconds between two checks of the time limits. */
const CHECK_INTERVAL = 1000;

/** Creates a server for the app. The server does not listen yet. */
export function makeServer(
  app: ReturnType<typeof createApp>,
  timeouts: HttpTimeouts,
  connections: ConnectionLimit,
): Server {
  const options = {
    requestTimeout: timeouts.request,
    headersTimeout: Math.min(timeouts.headers, timeouts.request),
    keepAliveTimeout: timeouts.keepAlive,
    connectionsCheckingInterval: Math.min(CHECK_INTERVAL, timeouts.headers),
    requireHostHeader: false, // The app sends an error body if the header is missing.
  };
  const server = createServer(options, listener(app));
  answerBrokenRequests(server);
  connections.watch(server);
  server.setTimeout(timeouts.idle);
  return server;
}

/** Creates the request listener. It must not replace the global Request and Response, which belong to the host process. */
function listener(app: ReturnType<typeof createApp>) {
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler });
  return (...exchange: Parameters<typeof answer>) => void answer(...exchange);
}

/** Replies to a request whose target and Host header do not form a URL. The app does not see such a request. */
function errorHandler(error: unknown): Response {
  const isRequest = error instanceof Error && error.name === 'RequestError';
  return errorReply(isRequest ? invalidUrl() : toServiceError(error));
}

/** @throws an error with a `code`, such as EADDRINUSE or EADDRNOTAVAIL, if the server cannot listen */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  // As many callers can connect at once as the service accepts.
  server.listen({ port, host, backlog: connectionLimits.connections });
  await once(server, 'listening');
}

/** Returns the base URL for clients on the same computer. A server that listens on all addresses gets 127.0.0.1. */
export function urlOf(server: Pick<Server, 'address'>, host: string): string {
  const address = server.address();
  const port = isAddress(address) ? address.port : 0;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

/**
 * Stops listening, waits until the current requests finish, and closes the remaining connections.
 * @param closing aborted when the time is over, so that requests stop their work
 * @param grace milliseconds for requests to finish
 */
export async function closeServer(server: Server, closing: AbortController, grace: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const done = new AbortController();
  const outOfTime = delay(grace, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([closed, outOfTime]);
  done.abort();
  const message = 'the service is closing: send the request again after its restart';
  closing.abort(new ServiceError(503, message, { retryAfter: RETRY_AFTER }));
  server.closeAllConnections();
  await closed;
}
