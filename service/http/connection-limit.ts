import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of connections without an accepted key or session, and of all connections. */
export const connectionLimits = { anonymous: 250, all: 1000 } as const;

/**
 * Limits the connections that carry no request with an accepted key or session: connections that send their headers slowly,
 * are idle, or download a sample. A further connection closes the oldest one. A caller with a key leaves the set when its
 * headers have arrived, and enters it again with its next request. So its new connection is closed only if a whole set of
 * connections opens before its headers arrive. An idle connection of such a caller stays open for its keep-alive time. A
 * limit per address would not help: on a computer with several users, all of them have the address 127.0.0.1.
 */
export class ConnectionLimit {
  readonly #limit: number;
  /** Ordered by the time since which a connection is anonymous. */
  readonly #anonymous = new Set<Socket>();
  /** Numbers of current requests with an accepted key or session. */
  readonly #admitted = new WeakMap<Socket, number>();

  constructor(limit: number = connectionLimits.anonymous) {
    this.#limit = limit;
  }

  /** Counts the connections of a server. */
  watch(server: Server): void {
    server.maxConnections = connectionLimits.all;
    server.on('connection', (socket) => {
      socket.once('close', () => this.#anonymous.delete(socket));
      this.#add(socket);
    });
    // The app must see the request later, because it may admit the request at once.
    server.prependListener('request', ({ socket }: IncomingMessage) => {
      if (this.#current(socket) === 0) this.#add(socket);
    });
  }

  /** Exempts the connection of a request with an accepted key or session until its next request without one. */
  admit({ socket }: IncomingMessage, outgoing: ServerResponse): void {
    this.#admitted.set(socket, this.#current(socket) + 1);
    this.#anonymous.delete(socket);
    outgoing.once('close', () => this.#admitted.set(socket, this.#current(socket) - 1));
  }

  #current(socket: Socket): number {
    return this.#admitted.get(socket) ?? 0;
  }

  #add(socket: Socket): void {
    this.#anonymous.add(socket);
    if (this.#anonymous.size <= this.#limit) return;
    const [oldest] = this.#anonymous;
    if (oldest === undefined) return;
    this.#anonymous.delete(oldest);
    oldest.destroy();
  }
}
