import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of connections without an accepted key, and of all connections. */
export const connectionLimits = { anonymous: 250, all: 1000 } as const;

/**
 * Limits the connections that carry no request with an accepted key: connections that send their headers slowly, are idle,
 * or download a sample. A further connection closes the oldest one. A caller with a key leaves the set as soon as its headers
 * have arrived, so no number of slow connections locks it out. A limit per address would not help: on a computer with
 * several users, all of them have the address 127.0.0.1.
 */
export class ConnectionLimit {
  /** Ordered by the time since which a connection is anonymous. */
  readonly #anonymous = new Set<Socket>();
  /** Numbers of current requests with an accepted key. */
  readonly #admitted = new WeakMap<Socket, number>();

  constructor(private readonly limit: number = connectionLimits.anonymous) {}

  /** Counts the connections of a server. */
  watch(server: Server): void {
    server.maxConnections = connectionLimits.all;
    server.on('connection', (socket) => {
      socket.once('close', () => this.#anonymous.delete(socket));
      this.#add(socket);
    });
  }

  /** Exempts the connection of a request with an accepted key until the end of its reply. */
  admit({ socket }: IncomingMessage, outgoing: ServerResponse): void {
    this.#change(socket, 1);
    outgoing.once('close', () => this.#change(socket, -1));
  }

  #change(socket: Socket, by: number): void {
    const requests = (this.#admitted.get(socket) ?? 0) + by;
    this.#admitted.set(socket, requests);
    if (requests > 0) this.#anonymous.delete(socket);
    else if (!socket.destroyed) this.#add(socket);
  }

  #add(socket: Socket): void {
    this.#anonymous.add(socket);
    if (this.#anonymous.size <= this.limit) return;
    const [oldest] = this.#anonymous;
    if (oldest === undefined) return;
    this.#anonymous.delete(oldest);
    oldest.destroy();
  }
}
