import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of connections of a server at a time. Each player needs one or two. */
const MAX_CONNECTIONS = 128;
/** Maximum number of requests that one connection may send before the first reply has ended. */
const MAX_PIPELINED = 4;

/** Statuses of replies with audio. Before its head is sent, a reply has the status 200. */
const AUDIO: ReadonlySet<number> = new Set([200, 206]);

/**
 * The connections of a server. Above the limit, a new connection ends the oldest one without audio in work. Players that hear
 * audio so keep their connections. Others cannot block the server: neither with idle connections nor with replies that they do
 * not read.
 */
export class ServerConnections {
  /** The replies in work by connection, the oldest connection first. */
  private readonly replies = new Map<Socket, Set<ServerResponse>>();

  constructor(private readonly max = MAX_CONNECTIONS) {}

  /** The number of connections with a reply in work. */
  get busy(): number {
    return [...this.replies.values()].filter(({ size }) => size > 0).length;
  }

  add(socket: Socket): void {
    this.replies.set(socket, new Set());
    socket.once('close', () => this.replies.delete(socket));
    if (this.replies.size <= this.max) return;
    // The new connection itself is the last one without audio.
    for (const [other, replies] of this.replies) {
      if ([...replies].some(({ statusCode }) => AUDIO.has(statusCode))) continue;
      this.replies.delete(other);
      other.destroy();
      return;
    }
  }

  /** Counts a reply until its end. Returns false and ends the connection if it has too many replies in work. */
  occupy(socket: Socket, response: ServerResponse): boolean {
    const replies = this.replies.get(socket);
    if (replies === undefined || replies.size >= MAX_PIPELINED) {
      socket.destroy();
      return false;
    }
    replies.add(response);
    response.once('close', () => replies.delete(response));
    return true;
  }

  /** Ends all connections. */
  end(): void {
    for (const socket of this.replies.keys()) socket.destroy();
  }
}
