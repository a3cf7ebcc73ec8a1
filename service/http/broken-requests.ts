import {
  type IncomingMessage,
  maxHeaderSize,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody, ServiceError, statusNames } from '../errors.js';
import { isErrno } from '../store/store-error.js';

interface Exchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/** Milliseconds for a caller to read why the connection ends: what is closed on unread bytes may lose its last ones. */
const LINGER = 1000;

/** What the parser and the clock of the server complain of, by the code of the error; anything else is a 400. */
const answers: Readonly<Record<string, ServiceError>> = {
  HPE_HEADER_OVERFLOW: new ServiceError(431, `the head of a request is over ${maxHeaderSize} bytes`),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new ServiceError(413, 'the extensions of a chunk are too long'),
  ERR_HTTP_REQUEST_TIMEOUT: new ServiceError(408, 'the request did not come in time'),
};
const noHttp = new ServiceError(400, 'this is no HTTP/1.1 request, or its body is broken');
const noProxy = new ServiceError(404, 'there is no CONNECT: this is no proxy');

/**
 * Answers what never reaches the app, because the server's parser can't read it, with the errors of the interface
 * (docs/interface.md#error-body); the connection then ends. Requests that came before on the same connection get their answers
 * first.
 */
export function answerBrokenRequests(server: Server): void {
  const latest = new WeakMap<Duplex, Exchange>();
  const refused = new WeakSet<Duplex>();
  server.on('request', (incoming, outgoing) => latest.set(incoming.socket, { incoming, outgoing }));
  // An expectation that nobody knows may be passed over (RFC 9110, 10.1.1).
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing));
  server.on('connect', (_incoming, socket) => {
    socket.on('error', () => socket.destroy());
    refuse(socket, noProxy, latest.get(socket));
  });
  server.on('clientError', (error, socket) => {
    if (isErrno(error, 'ECONNRESET') || !socket.writable) socket.destroy();
    else if (!refused.has(socket)) {
      refused.add(socket);
      const answer = (isErrno(error) && answers[error.code]) || noHttp;
      // By then the head of the request has had its answer, if it is one that needs no body.
      setImmediate(() => refuse(socket, answer, latest.get(socket)));
    }
  });
}

/** A request in the middle of its body is the one that is broken; one that is whole comes first. */
function refuse(socket: Duplex, answer: ServiceError, last: Exchange | undefined): void {
  if (last === undefined) {
    hangUp(socket, answer);
    return;
  }
  const { incoming, outgoing } = last;
  if (!incoming.complete && !outgoing.headersSent) {
    const { headers, body } = inHttp(answer);
    outgoing.writeHead(answer.status, headers).end(body);
    // Whoever reads the body waits for more of it: the server forgets a request once it is answered.
    socket.once('close', () => incoming.destroy(answer));
    return;
  }
  const end = () => hangUp(socket, incoming.complete ? answer : undefined);
  if (outgoing.closed) end();
  else outgoing.once('close', end);
}

/** Ends a connection that no response is using, with an answer unless there was one. */
function hangUp(socket: Duplex, answer: ServiceError | undefined): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(answer && bytesOf(answer));
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(timer));
}

function inHttp(answer: ServiceError): { headers: OutgoingHttpHeaders; body: string } {
  const body = JSON.stringify(errorBody(answer));
  const length = Buffer.byteLength(body);
  return {
    headers: { 'content-type': 'application/json', 'content-length': length, connection: 'close' },
    body,
  };
}

function bytesOf(answer: ServiceError): string {
  const { headers, body } = inHttp(answer);
  const all = Object.entries({ ...headers, date: new Date().toUTCString() });
  const lines = all.map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return `HTTP/1.1 ${answer.status} ${statusNames[answer.status]}\r\n${lines.join('')}\r\n${body}`;
}
