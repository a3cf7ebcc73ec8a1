import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Text } from '@herald-speech/client';
import type { Request, Response } from 'express';
import type { NodeAPI } from 'node-red';
import { say } from '../../runtime/messages.js';
import type { AudioPort } from './player-access.js';
import { ServerConnections } from './server-connections.js';
import { listenerOf } from './listener.js';
import { answerAudio, answerOptions, AUDIO_PATH, type Replies } from './serve-audio.js';

/** Milliseconds after which the replies of a released server end. A deploy uses the server again sooner. */
const GRACE_MS = 1000;
/** Milliseconds between two attempts to listen: the program at the port may end, the network may start later. */
const RETRY_MS = 10_000;
/** Bounds of a request. Players send few headers, and no body. */
const LIMITS = {
  maxHeaderSize: 8192,
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
} as const;

/** An audio port in use, until its release. */
export interface AudioPortInUse extends AudioPort {
  /** Releases the port. The last release closes it: the promise resolves when other programs can use it. */
  release(): Promise<void>;
}

/** A port of this computer, at one of its addresses or, for '', at all. */
export type PortPlace = Pick<AudioPort, 'host' | 'port'>;

/** The servers of this process by host and port. */
const servers = new Map<string, AudioServer>();

/**
 * Serves audio at a port without the login of Node-RED. All users of a port and host share one server.
 * @param report called if the server starts to listen (without a problem), and if its problem changes
 */
export function useAudioServer(
  RED: NodeAPI,
  place: PortPlace,
  report: (problem: Text | undefined) => void,
): AudioPortInUse {
  const key = keyOf(place);
  const server = servers.get(key) ?? new AudioServer(place, () => servers.delete(key));
  servers.set(key, server);
  server.use(RED, report);
  let isHeld = true;
  return {
    ...place,
    get problem() {
      return server.problem;
    },
    ready: () => server.settled,
    async release() {
      if (isHeld) await server.release(report);
      isHeld = false;
    },
  };
}

/** Returns the audio port at a place. A port that no account and no dialog has opened has a problem. */
export function audioPortAt({ host, port }: PortPlace): AudioPort {
  return {
    host,
    port,
    get problem() {
      const server = servers.get(keyOf({ host, port }));
      return server?.isInUse === true ? server.problem : say('audio-port-closed', { port });
    },
    ready: async () => servers.get(keyOf({ host, port }))?.settled,
  };
}

const keyOf = ({ host, port }: PortPlace): string => `${host} ${port}`;

/** The HTTP server of one port. It serves audio with GET, HEAD and OPTIONS; any other request gets a 404. */
class AudioServer {
  problem: Text | undefined;
  /** Resolves after the first attempt to listen. */
  settled: Promise<void> = Promise.resolve();
  private readonly users = new Set<(problem: Text | undefined) => void>();
  private readonly replies: Replies = new Set();
  private readonly connections = new ServerConnections();
  private RED: NodeAPI | undefined;
  private server: Server | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** @param onEnd called when the server has ended */
  constructor(
    private readonly place: PortPlace,
    private readonly onEnd: () => void,
  ) {}

  get isInUse(): boolean {
    return this.users.size > 0;
  }

  use(RED: NodeAPI, report: (problem: Text | undefined) => void): void {
    this.RED = RED;
    this.users.add(report);
    if (this.server === undefined) this.listen();
    else if (this.problem !== undefined || this.server.listening) report(this.problem);
  }

  async release(report: (problem: Text | undefined) => void): Promise<void> {
    this.users.delete(report);
    if (this.users.size > 0) return;
    const { server } = this;
    this.server = undefined;
    this.problem = undefined;
    clearTimeout(this.timer);
    // Closes the listening socket at once and idle connections. The replies have the time until the next deploy.
    server?.close();
    if (this.connections.busy > 0) this.timer = setTimeout(() => this.end(), GRACE_MS).unref();
    else this.end();
    await this.settled;
    await new Promise((resolve) => setImmediate(resolve));
  }

  private end(): void {
    for (const end of this.replies) end();
    this.connections.end();
    this.onEnd();
  }

  private listen(): void {
    clearTimeout(this.timer);
    const server = createServer(LIMITS, (incoming, outgoing) => this.answer(incoming, outgoing));
    this.server = server;
    server.on('connection', (socket) => this.connections.add(socket));
    const { host, port } = this.place;
    this.settled = new Promise((resolve) => {
      for (const event of ['listening', 'error', 'close']) server.once(event, () => resolve());
    });
    // `close` has no effect on a server that does not listen yet.
    server.once('listening', () => (server === this.server ? this.note(undefined) : server.close()));
    server.on('error', (error) => this.failed(server, error));
    server.listen(port, ...(host === '' ? [] : [host]));
  }

  private failed(server: Server, error: Error): void {
    if (server !== this.server) return;
    this.note(problemOf(error, this.place, this.RED));
    this.timer = setTimeout(() => this.listen(), RETRY_MS).unref();
  }

  /** Reports a new state. A further attempt with the same result is not reported. */
  private note(problem: Text | undefined): void {
    const isNews = problem === undefined || problem.english !== this.problem?.english;
    this.problem = problem;
    if (isNews) for (const report of this.users) report(problem);
  }

  private answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const name = nameIn(incoming.url);
    const { RED } = this;
    if (RED === undefined || name === undefined || !METHODS.has(incoming.method)) return refuse(outgoing);
    if (!this.connections.occupy(incoming.socket, outgoing)) return;
    const { request, response } = expressOf(RED, incoming, outgoing);
    if (request.method === 'OPTIONS') answerOptions(response);
    else answerAudio(RED, name, request, response, this.replies, 'audio-port');
  }
}

const METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);
const NAME = new RegExp(`^${AUDIO_PATH}/([^/?#]+)(?:\\?|$)`);

/** Returns the file name in the target of a request: a path, or an absolute URL (RFC 9112, section 3.2.2). */
const nameIn = (target = ''): string | undefined => NAME.exec(target.replace(/^http:\/\/[^/]*/i, ''))?.[1];

function refuse(outgoing: ServerResponse): void {
  outgoing.writeHead(404, { 'Content-Length': 0, Connection: 'close' }).end();
}

/**
 * Gives a request and a reply the methods of Express, as an Express application does. The application of Node-RED itself must
 * not handle the request: it would ask for a login, and serve the routes of other nodes.
 */
function expressOf(
  { httpNode }: NodeAPI,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): { request: Request; response: Response } {
  const request: Request = Object.setPrototypeOf(incoming, httpNode.request);
  const response: Response = Object.setPrototypeOf(outgoing, httpNode.response);
  request.res = response;
  response.req = request;
  return { request, response };
}

function problemOf(error: Error, { host, port }: PortPlace, RED: NodeAPI | undefined): Text {
  const code = 'code' in error ? error.code : undefined;
  const isOwn = RED !== undefined && listenerOf(RED).port === port;
  if (code === 'EADDRINUSE') return say(isOwn ? 'audio-port-own' : 'audio-port-in-use', { port });
  if (code === 'EADDRNOTAVAIL' || code === 'EINVAL') return say('audio-port-address', { host });
  if (code === 'EACCES' || code === 'EPERM') return say('audio-port-denied', { port });
  return say('audio-port-failed', { port, problem: error.message });
}
