import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { wavOf } from '../audio-files.js';

/** The behaviour of a broken service after a request has arrived. */
type Script = (socket: Socket) => void;

/** A broken service. */
interface Fault {
  protocol: 'http' | 'https';
  /** Absent if no server listens on the port. */
  listener?: () => Server;
  /** Replaces the address of the listener in the URL. */
  host?: string;
}

export interface BrokenService {
  url: string;
  /** Number of received requests. */
  requests(): number;
  /** Number of open connections. */
  connections(): number;
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: audio/wav\r\n';

/** Sends a complete reply with a correct content-length. */
function reply(status: number, type: string, body: string | Buffer, more = ''): Script {
  const head = `HTTP/1.1 ${status} Words\r\ncontent-type: ${type}\r\n${more}content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return (socket) => socket.write(Buffer.concat([Buffer.from(head), Buffer.from(body)]));
}

/** Sends a beginning, then one byte every 20 ms until the connection closes. */
function drip(beginning: string): Script {
  return (socket) => {
    socket.write(beginning);
    const timer = setInterval(() => socket.write('x'), 20);
    socket.once('close', () => clearInterval(timer));
  };
}

/** Sends a body without an end. */
function flood(socket: Socket): void {
  const fill = () => {
    while (socket.writable && socket.write(Buffer.alloc(65_536)));
  };
  socket.write(`${HEAD}\r\n`);
  socket.on('drain', fill);
  fill();
}

const silence: Script = () => {};

/** Sends bytes, then ends the connection without an error. */
const endWith =
  (written: string | Buffer): Script =>
  (socket) =>
    socket.end(written);

function resetAfter(written: string): Script {
  return (socket) => socket.write(written, () => setTimeout(() => socket.resetAndDestroy(), 20));
}

const beginsRequest = (data: Buffer) => /^(GET|POST|PATCH|DELETE) /.test(data.toString('latin1'));

/** Runs `script` for every request. If the client expects TLS, runs it for any received data. */
function plain(script: Script, protocol: Fault['protocol'] = 'http'): Fault {
  const answer = (socket: Socket) =>
    socket.on('data', (data) => {
      if (protocol === 'https' || beginsRequest(data)) script(socket);
    });
  return { protocol, listener: () => createServer(answer) };
}

/** A certificate for these tests, valid for a hundred years, without a trusted authority. */
const selfSigned: Fault = {
  protocol: 'https',
  listener: () => {
    const pem = readFileSync(join(__dirname, 'self-signed.pem'));
    return createTlsServer({ key: pem, cert: pem }, (socket) => socket.end());
  },
};

const half = wavOf({ seconds: 1 }).subarray(0, 5000);

/** All simulated faults of connections and replies, by name. */
export const faults = {
  'connection refused': { protocol: 'http' },
  'unknown name': { protocol: 'http', host: 'nobody.invalid' },
  'self-signed certificate': selfSigned,
  'no TLS behind https': plain(endWith('HTTP/1.1 400 Bad Request\r\n\r\n'), 'https'),
  'TLS handshake without an answer': plain(silence, 'https'),
  'TLS handshake that is reset': plain((socket) => socket.resetAndDestroy(), 'https'),
  'reset before headers': plain((socket) => socket.resetAndDestroy()),
  'closed before headers': plain(endWith('')),
  'no answer': plain(silence),
  'dripping headers': plain(drip('HTTP/1.1 200 OK\r\nx-slow: ')),
  'reset mid-body': plain(resetAfter(`${HEAD}content-length: 1000\r\n\r\nxxxx`)),
  'headers, then silence': plain((socket) => socket.write(`${HEAD}content-length: 1000\r\n\r\n`)),
  'dripping body': plain(drip(`${HEAD}content-length: 1000000\r\n\r\n`)),
  'closed mid-body': plain(endWith(`${HEAD}content-length: 1000\r\n\r\nxxxx`)),
  'chunked without an end': plain(endWith(`${HEAD}transfer-encoding: chunked\r\n\r\n4\r\nxxxx\r\n`)),
  'bad chunk size': plain(endWith(`${HEAD}transfer-encoding: chunked\r\n\r\nZZ\r\nxxxx\r\n`)),
  'no HTTP': plain(endWith('HELLO\r\n\r\n')),
  'flood of headers': plain(endWith(`${HEAD}x-flood: ${'y'.repeat(200_000)}\r\n\r\n`)),
  'endless body': plain(flood),
  'truncated WAV, right content-length': plain(reply(200, 'audio/wav', half)),
  'truncated WAV, no content-length': plain(
    endWith(Buffer.concat([Buffer.from(`${HEAD}connection: close\r\n\r\n`), half])),
  ),
  'content-length too small': plain(
    endWith(Buffer.concat([Buffer.from(`${HEAD}content-length: 400\r\n\r\n`), half])),
  ),
  'empty WAV reply': plain(reply(200, 'audio/wav', '')),
  'truncated JSON': plain(reply(200, 'application/json', '{"balance": 1')),
  'empty JSON reply': plain(reply(200, 'application/json', '')),
  'page of a proxy with 200': plain(reply(200, 'text/html', '<html>Sign in</html>')),
  '204 where content was expected': plain((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n')),
  'page of a proxy with 500': plain(reply(500, 'text/html', '<html>Internal error</html>')),
  'page of a proxy with 502': plain(reply(502, 'text/html', '<html>Bad gateway</html>')),
  'empty 503': plain(reply(503, 'text/plain', '')),
  'empty 504': plain(reply(504, 'text/plain', '')),
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

/**
 * Runs `work` with a service that has one fault. Then closes the service and its connections.
 */
export async function withFault<Result>(
  fault: FaultName,
  work: (service: BrokenService) => Promise<Result>,
): Promise<Result> {
  const { protocol, listener, host }: Fault = faults[fault];
  const server = (listener ?? createServer)();
  const sockets = new Set<Socket>();
  let requests = 0;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    socket.on('data', (data) => (requests += Number(beginsRequest(data))));
  });
  // A client that rejects the certificate ends the handshake. The fault is simulated, so the test ignores the event.
  server.on('tlsClientError', () => {});
  const port = await listen(server);
  if (listener === undefined) await close(server);
  const url = `${protocol}://${host ?? `127.0.0.1:${port}`}`;
  try {
    return await work({ url, requests: () => requests, connections: () => sockets.size });
  } finally {
    for (const socket of sockets) socket.destroy();
    await close(server);
  }
}

/** Listens on a free port and returns the port. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return address.port;
}

/** Stops listening, and resolves after the last connection is closed. Accepts a server that does not listen. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
