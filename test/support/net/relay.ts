import { connect, createServer, type Socket } from 'node:net';
import { close, listen } from './fault-server.js';

/** A TCP relay before a real server. It keeps what clients send. */
export interface Relay {
  /** `127.0.0.1:PORT`. */
  host: string;
  /** Returns all that clients have sent since the last call. */
  sent(): string;
}

/** Runs `work` with a relay to a server on this computer, then closes the relay and its connections. */
export async function withRelay<Result>(
  target: string,
  work: (relay: Relay) => Promise<Result>,
): Promise<Result> {
  const port = Number(new URL(target).port);
  const sockets = new Set<Socket>();
  let received: Buffer[] = [];
  const listener = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
    client.on('data', (bytes: Buffer) => received.push(bytes));
    client.pipe(server);
    server.pipe(client);
  });
  const host = `127.0.0.1:${await listen(listener)}`;
  const sent = () => {
    const result = Buffer.concat(received).toString('utf8');
    received = [];
    return result;
  };
  try {
    return await work({ host, sent });
  } finally {
    for (const socket of sockets) socket.destroy();
    await close(listener);
  }
}
