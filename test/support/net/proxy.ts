import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { close, listen } from './fault-server.js';
import { type Script, type ScriptedServer, withServer } from './scripted-server.js';

/** Self-signed certificate for `localhost` and `127.0.0.1`, with its key. A client trusts it only if configured to. */
export const selfSigned = readFileSync(path.join(__dirname, 'self-signed.pem'), 'utf8');

export interface Proxy {
  /** Address without credentials. */
  url: string;
  /** The targets of CONNECT requests, as `host:port`. */
  asked: string[];
}

export interface ProxyOptions {
  /** Port for all connections, for any requested target. The host names of tests do not exist. */
  to: number;
  /** Required `user:password`. */
  credentials?: string;
  /** Status of the reply to every CONNECT request, instead of a connection. */
  refusal?: number;
  /** Whether clients reach the proxy by HTTPS. */
  secure?: boolean;
}

/** Runs `work` with an HTTP proxy (RFC 9110, 9.3.6), then closes the proxy and its connections. */
export async function withProxy<Result>(
  options: ProxyOptions,
  work: (proxy: Proxy) => Promise<Result>,
): Promise<Result> {
  const sockets = new Set<Socket>();
  const asked: string[] = [];
  const server: Server = options.secure
    ? createTlsServer({ key: selfSigned, cert: selfSigned })
    : createServer();
  server.on('connection', (socket: Socket) => keep(socket, sockets));
  server.on('connect', (request, socket, head) => {
    asked.push(request.url ?? '');
    tunnel(request, socket, head, options, sockets);
  });
  const port = await listen(server);
  try {
    return await work({ url: `${options.secure ? 'https' : 'http'}://127.0.0.1:${port}`, asked });
  } finally {
    for (const socket of sockets) socket.destroy();
    await close(server);
  }
}

function tunnel(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  { to, credentials, refusal }: ProxyOptions,
  sockets: Set<Socket>,
): void {
  client.on('error', () => {});
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const status = wanted && request.headers['proxy-authorization'] !== wanted ? 407 : refusal;
  if (status !== undefined) {
    client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    return;
  }
  const service = keep(connect(to, '127.0.0.1'), sockets);
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  service.write(head);
  service.pipe(client).pipe(service);
}

function keep(socket: Socket, sockets: Set<Socket>): Socket {
  sockets.add(socket);
  return socket.on('error', () => {}).once('close', () => sockets.delete(socket));
}

/** Runs `work` with an HTTPS service with a self-signed certificate. */
export function withSecureServer<Result>(
  script: Script,
  work: (server: ScriptedServer) => Promise<Result>,
  options: object = {},
): Promise<Result> {
  return withServer(script, work, { key: selfSigned, cert: selfSigned, ...options });
}

/** Runs `work` with these environment variables. The value undefined removes a variable. */
export async function withEnvironment<Result>(
  variables: Record<string, string | undefined>,
  work: () => Promise<Result>,
): Promise<Result> {
  const former = Object.keys(variables).map((name): [string, string | undefined] => [
    name,
    process.env[name],
  ]);
  set(Object.entries(variables));
  try {
    return await work();
  } finally {
    set(former);
  }
}

function set(variables: [name: string, value: string | undefined][]): void {
  for (const [name, value] of variables) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
