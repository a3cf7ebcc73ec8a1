import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../kit/errors.js';
import { RETRY_AFTER } from './reply.js';

/** Maximum number of connections, and of requests with an accepted key or session at a time. */
export const connectionLimits = { connections: 2000, requests: 1000 } as const;

/**
 * Limits the connections and the requests. A further connection closes the oldest one that carries no request with an accepted
 * key or session: one that sends its headers slowly, is idle, or downloads a sample. A caller with a key leaves this set when its
 * headers have arrived, and enters it again with its next request. So its new connection is closed only if a whole set of
 * connections opens before its headers arrive. An idle connection of such a caller stays open for its keep-alive time. A
 * limit per address would not help: on a computer with several users, all of them have the address 127.0.0.1.
 */
export class ConnectionLimit {
  readonly #open = new Set<Socket>();
  /** Ordered by the time since which a connection is anonymous. */
  readonly #anonymous = new Set<Socket>();
  /** Numbers of current requests with an accepted key or session. */
  readonly #admitted = new WeakMap<Socket, number>();
  #requests = 0;

  /** Counts the connections of a server. */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      socket.once('close', () => this.#forget(socket));
      this.#open.add(socket);
      this.#anonymous.add(socket);
      if (this.#open.size > connectionLimits.connections) this.#closeOldest();
    });
    // The app must see the request later, because it may admit the request at once.
    server.prependListener('request', ({ socket }: IncomingMessage) => {
      if (this.#current(socket) === 0) this.#anonymous.add(socket);
    });
  }

  /**
   * Exempts the connection of a request with an accepted key or session until its next request without one.
   * @throws ServiceError 503 if too many such requests are in work. The connection stays open.
   */
  admit({ socket }: IncomingMessage, outgoing: ServerResponse): void {
    if (this.#requests >= connectionLimits.requests) throw tooMany();
    this.#requests += 1;
    this.#admitted.set(socket, this.#current(socket) + 1);
    this.#anonymous.delete(socket);
    outgoing.once('close', () => {
      this.#requests -= 1;
      this.#admitted.set(socket, this.#current(socket) - 1);
    });
  }

  #current(socket: Socket): number {
    return this.#admitted.get(socket) ?? 0;
  }

  #closeOldest(): void {
    const [oldest] = this.#anonymous;
    if (oldest === undefined) return;
    this.#forget(oldest);
    oldest.destroy();
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.#anonymous.delete(socket);
  }
}

function tooMany(): ServiceError {
  const message = `the service works on ${connectionLimits.requests} requests: try again in ${RETRY_AFTER} s`;
  return new ServiceError(503, message, { retryAfter: RETRY_AFTER });
}
