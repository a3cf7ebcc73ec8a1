import type { Socket } from 'node:net';

/** The work for the end of each connection. One listener serves all requests that a player sends on a connection. */
const works = new WeakMap<Socket, Set<() => void>>();

/**
 * Runs `work` when a connection closes. A reply that waits behind another one on its connection emits no event then.
 * @returns a function that cancels the work
 */
export function atSocketEnd(socket: Socket, work: () => void): () => void {
  const all = works.get(socket) ?? new Set();
  if (!works.has(socket)) {
    works.set(socket, all);
    socket.once('close', () => all.forEach((each) => each()));
  }
  all.add(work);
  return () => void all.delete(work);
}
