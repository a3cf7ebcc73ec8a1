import {
  type IncomingMessage,
  maxHeaderSize,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { isErrno } from '@herald-speech/client/files';
import { errorBody, ServiceError, statusNames } from '../kit/errors.js';

interface Exchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/** Milliseconds for a caller to read the reply. A socket that closes with unread input may lose its last output. */
const LINGER = 1000;

/** Replies to errors of Node's HTTP server, by error code. Every other code gets a 400. */
const replies: Readonly<Record<string, ServiceError>> = {
  HPE_HEADER_OVERFLOW: new ServiceError(
    431,
    `the request head is longer than ${maxHeaderSize} bytes: shorten the path or the headers`,
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new ServiceError(
    413,
    'the chunk extensions of the body are too long: send chunks without extensions',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new ServiceError(408, 'the request did not arrive in time: send it again'),
};
const notHttp = new ServiceError(
  400,
  'the request or its body is not valid HTTP/1.1: check its head and length',
);
const notProxy = new ServiceError(404, 'CONNECT is not supported: send the request without a proxy');

/**
 * Replies to requests that the server's parser rejects, and then closes the connection. The app does not see these
 * requests. The replies have the error bodies of the interface (docs/interface.md#error-body). Earlier requests of the
 * same connection get their replies first.
 */
export function answerBrokenRequests(server: Server): void {
  const latest = new WeakMap<Duplex, Exchange>();
  const refused = new WeakSet<Duplex>();
  const pending = new WeakMap<Duplex, Set<ServerResponse>>();
  server.on('request', (incoming, outgoing) => {
    const { socket } = incoming;
    latest.set(socket, { incoming, outgoing });
    const replies = pending.get(socket) ?? new Set();
    pending.set(socket, replies.add(outgoing));
    outgoing.once('close', () => replies.delete(outgoing));
  });
  // A server may ignore an expectation that it does not know (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing));
  server.on('connect', (_incoming, socket) => {
    takeOver(socket, pending.get(socket) ?? new Set());
    refuse(socket, notProxy, latest.get(socket));
  });
  server.on('clientError', (error, socket) => {
    if (isErrno(error, 'ECONNRESET') || !socket.writable) socket.destroy();
    else if (!refused.has(socket)) {
      refused.add(socket);
      const reply = (isErrno(error) && replies[error.code]) || notHttp;
      // The app replies first if it does not need the body, for example with a 401.
      setImmediate(() => refuse(socket, reply, latest.get(socket)));
    }
  });
}

/**
 * Handles the events of a connection that the server leaves at a CONNECT. Without them, a pending reply would never continue
 * after a pause, and a lost connection would stay open.
 */
function takeOver(socket: Duplex, replies: ReadonlySet<ServerResponse>): void {
  const destroy = () => socket.destroy();
  socket.on('error', destroy).on('timeout', destroy);
  socket.on('drain', () => {
    for (const reply of replies) if (reply.writableNeedDrain) reply.emit('drain');
  });
  socket.resume(); // Drops further bytes. A paused socket does not notice its end.
}

/**
 * Sends the reply and closes the connection. If the last request lacks a part of its body, the error belongs to that
 * request. A complete last request gets its reply first, because the error belongs to the bytes behind it.
 */
function refuse(socket: Duplex, reply: ServiceError, last: Exchange | undefined): void {
  if (last === undefined) {
    hangUp(socket, reply);
    return;
  }
  const { incoming, outgoing } = last;
  if (!incoming.complete && !outgoing.headersSent) {
    const { headers, body } = toHttp(reply);
    outgoing.writeHead(reply.status, headers).end(body);
    // The server drops a request after its reply. Without this error, a reader of the body would wait forever.
    socket.once('close', () => incoming.destroy(reply));
    return;
  }
  const end = () => hangUp(socket, incoming.complete ? reply : undefined);
  if (outgoing.closed) end();
  else outgoing.once('close', end);
}

/** Closes a connection without a pending reply. Sends `reply` first, if given. */
function hangUp(socket: Duplex, reply: ServiceError | undefined): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(reply && toBytes(reply));
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(timer));
}

function toHttp(reply: ServiceError): { headers: OutgoingHttpHeaders; body: string } {
  const body = JSON.stringify(errorBody(reply));
  const length = Buffer.byteLength(body);
  return {
    headers: { 'content-type': 'application/json', 'content-length': length, connection: 'close' },
    body,
  };
}

function toBytes(reply: ServiceError): string {
  const { headers, body } = toHttp(reply);
  const all = Object.entries({ ...headers, date: new Date().toUTCString() });
  const lines = all.map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return `HTTP/1.1 ${reply.status} ${statusNames[reply.status]}\r\n${lines.join('')}\r\n${body}`;
}
