import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Most connections of a server at a time. Each player needs one or two. */
const MAX_CONNECTIONS = 128;
/** Most requests that one connection may send before the first reply has ended. */
const MAX_PIPELINED = 4;

/**
 * The connections of a server. Above the limit, a new connection ends the oldest one without a reply in work. Players that
 * hear audio so keep their connections, and idle connections of others cannot block the server.
 */
export class Connections {
  /** The number of replies in work by connection, the oldest connection first. */
  private readonly replies = new Map<Socket, number>();

  constructor(private readonly max = MAX_CONNECTIONS) {}

  /** The number of connections with a reply in work. */
  get busy(): number {
    return [...this.replies.values()].filter((count) => count > 0).length;
  }

  add(socket: Socket): void {
    this.replies.set(socket, 0);
    socket.once('close', () => this.replies.delete(socket));
    if (this.replies.size <= this.max) return;
    // The new connection itself is the last idle one.
    for (const [other, count] of this.replies) {
      if (count > 0) continue;
      this.replies.delete(other);
      other.destroy();
      return;
    }
  }

  /** Counts a reply until its end. Returns false and ends the connection if it has too many replies in work. */
  occupy(socket: Socket, response: ServerResponse): boolean {
    const count = this.replies.get(socket) ?? MAX_PIPELINED;
    if (count >= MAX_PIPELINED) {
      socket.destroy();
      return false;
    }
    this.replies.set(socket, count + 1);
    response.once('close', () => {
      const current = this.replies.get(socket);
      if (current !== undefined) this.replies.set(socket, current - 1);
    });
    return true;
  }

  /** Ends all connections. */
  end(): void {
    for (const socket of this.replies.keys()) socket.destroy();
  }
}
