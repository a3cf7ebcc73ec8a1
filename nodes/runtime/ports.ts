import { asSpeechError, type FailedChunk, type Route, type SpeechError } from '@herald-speech/client';
import type { NodeMessage } from 'node-red';

/** The four outputs of every node but listen, in their order. */
export const PORTS = ['done', 'retryable', 'fatal', 'out-of-credits'] as const;

const portOf = (route: Route) => PORTS.indexOf(route);

/** What a failed message carries in `msg.error`, and a Catch node in `error.cause`. */
export interface MessageError {
  message: string;
  name: string;
  code: string;
  route: Route;
  status: number | undefined;
  operation: string | undefined;
  attempts: number;
  /** Seconds. */
  retryAfter: number | undefined;
  chunk: FailedChunk | undefined;
  /** The service's own words. */
  service: string | undefined;
}

/** The plain data of a failure: messages are cloned, and errors don't survive that. */
export function messageError(error: SpeechError): MessageError {
  const { message, name, code, route, status, operation, attempts, retryAfter, chunk, service } = error;
  return { message, name, code, route, status, operation, attempts, retryAfter, chunk, service };
}

export type Send = (messages: (NodeMessage | NodeMessage[] | null)[]) => void;
export type Done = (error?: Error) => void;

/** What messages leave through: a node's wires, and whether there is a node at the other end. */
export interface Outlet {
  node: object;
  isThere: (id: string) => boolean;
}

/**
 * Works on one message and lets it leave exactly once: its result on the first port, or itself as failed.
 * @returns what went wrong, where something did; never rejects
 */
export async function settle(
  outlet: Outlet,
  message: NodeMessage,
  work: () => Promise<NodeMessage | NodeMessage[]>,
  send: Send,
  done: Done,
): Promise<SpeechError | undefined> {
  let result: NodeMessage | NodeMessage[];
  try {
    result = await work();
  } catch (thrown) {
    return fail(outlet, message, thrown, send, done);
  }
  return leave([result], send, done);
}

/**
 * Sends a failed message as it came in, with `msg.error`, on the port of its failure; a port without a wire hands the
 * error to Catch nodes and the log instead. Never both, never neither.
 */
export function fail(
  outlet: Outlet,
  message: NodeMessage,
  thrown: unknown,
  send: Send,
  done: Done,
): SpeechError {
  const error = asSpeechError(thrown);
  const port = portOf(error.route);
  if (!isWired(outlet, port)) {
    done(forCatch(error));
    return error;
  }
  const failed = { ...message, error: messageError(error) };
  return (
    leave(
      PORTS.map((_, index) => (index === port ? failed : null)),
      send,
      done,
    ) ?? error
  );
}

/** Sends, then tells that the message is done. Sending clones, which can throw: that is for Catch nodes, once. */
function leave(messages: Parameters<Send>[0], send: Send, done: Done): SpeechError | undefined {
  try {
    send(messages);
  } catch (thrown) {
    const error = asSpeechError(thrown);
    done(forCatch(error));
    return error;
  }
  done();
  return undefined;
}

/**
 * Whether an output leads anywhere: a wire to disabled nodes alone is none. Node-RED keeps the wires on the node without
 * telling of them in its types.
 */
function isWired({ node, isThere }: Outlet, port: number): boolean {
  const wires: unknown = 'wires' in node ? node.wires : undefined;
  const wire: unknown = Array.isArray(wires) ? wires[port] : undefined;
  return Array.isArray(wire) && wire.some((id) => typeof id === 'string' && isThere(id));
}

/** Catch copies own properties of an error by name, `cause` among them: our data goes there. */
export function forCatch(error: SpeechError): Error {
  const { message, code } = error;
  return Object.assign(new Error(message, { cause: messageError(error) }), { code, name: error.name });
}
