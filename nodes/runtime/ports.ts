import {
  asSpeechError,
  type BudgetFigures,
  type FailedChunk,
  type Route,
  type SpeechError,
} from '@herald-speech/client';
import type { NodeMessage } from 'node-red';
import { localizeError, type Translator } from './localize.js';

/** The outputs of every node except listen, in order. */
export const PORTS = ['done', 'retryable', 'fatal', 'out-of-credits'] as const;

/** Returns the output of a failure. A stopped message leaves on the output of fatal errors: no retry loop starts there. */
const portOf = (route: Route) => PORTS.indexOf(route === 'stopped' ? 'fatal' : route);

/** The value of `msg.error` of a failed message. Catch nodes find it in `msg.error.cause`. */
export interface MessageError {
  message: string;
  name: string;
  code: string;
  route: Route;
  status: number | undefined;
  operation: string | undefined;
  attempts: number;
  /** Seconds to wait before the next attempt. */
  retryAfter: number | undefined;
  chunk: FailedChunk | undefined;
  /** The error text of the service, shortened, without the key. */
  service: string | undefined;
  /** The figures of an exceeded budget. Missing in other errors. */
  budget?: BudgetFigures;
  /** Id of the node that the message left. Undefined for errors without a message. */
  node: string | undefined;
  /** Place of the message in the order of arrival. It keeps this place if it comes back to the node. */
  arrival: number | undefined;
}

/** The node and the place of a failed message. */
export type Origin = Partial<Pick<MessageError, 'node' | 'arrival'>>;

/** Copies an error to plain data. Node-RED clones messages, and cloning an Error object loses its properties. */
export function messageError(error: SpeechError, { node, arrival }: Origin = {}): MessageError {
  const { message, name, code, route, status, operation, attempts, retryAfter, chunk, service, budget } =
    error;
  const details = { status, operation, attempts, retryAfter, chunk, service };
  return { message, name, code, route, ...details, ...(budget && { budget }), node, arrival };
}

export type Send = (messages: (NodeMessage | NodeMessage[] | null)[]) => void;
export type Done = (error?: Error) => void;

/** The outputs of a node. */
export interface Outlet {
  RED: Translator;
  node: object;
  /** Returns whether a node with this id is running. */
  exists: (id: string) => boolean;
}

/**
 * Waits for the work on one message and sends exactly one result: the output of the work on the first port, or the failed message.
 * Never rejects.
 * @param failed sends a failed message, by default at once
 * @returns the error, if one occurred
 */
export async function settle(
  outlet: Outlet,
  message: NodeMessage,
  work: Promise<NodeMessage | NodeMessage[]>,
  send: Send,
  done: Done,
  failed = (thrown: unknown) => fail(outlet, message, thrown, send, done),
): Promise<SpeechError | undefined> {
  let result: NodeMessage | NodeMessage[];
  try {
    result = await work;
  } catch (thrown) {
    return failed(thrown);
  }
  return leave([result], send, done);
}

/**
 * Sends a failed message unchanged, with `msg.error`, on the port of its route. If that port has no wire, reports the error
 * to Catch nodes and the log instead. Never does both. A stopped message without a wire completes: a stop is no error.
 */
export function fail(
  outlet: Outlet,
  message: NodeMessage,
  thrown: unknown,
  send: Send,
  done: Done,
  origin: Origin = {},
): SpeechError {
  const error = localizeError(outlet.RED, asSpeechError(thrown));
  const port = portOf(error.route);
  if (!isWired(outlet, port)) {
    if (error.route === 'stopped') done();
    else done(forCatch(error, origin));
    return error;
  }
  const failed = { ...message, error: messageError(error, origin) };
  return (
    leave(
      PORTS.map((_, index) => (index === port ? failed : null)),
      send,
      done,
    ) ?? error
  );
}

/** Sends messages, then calls `done`. If sending throws (Node-RED clones messages), reports that error to Catch nodes. */
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
 * Returns whether a port is wired to a running node. Wires to disabled nodes do not count. Node-RED stores the wires on the
 * node, but does not declare them in its types.
 */
function isWired({ node, exists }: Outlet, port: number): boolean {
  const wires: unknown = 'wires' in node ? node.wires : undefined;
  const wire: unknown = Array.isArray(wires) ? wires[port] : undefined;
  return Array.isArray(wire) && wire.some((id) => typeof id === 'string' && exists(id));
}

/** Converts an error for `done`. Catch nodes copy only certain own properties, so the details go to `cause`. */
export const forCatch = (error: SpeechError, origin: Origin = {}): Error => new Failure(error, origin);

/**
 * An error for Node-RED. The log and the debug sidebar show its message as text. Of an instance of `Error`, and of a class with
 * "Error" in its name, the sidebar shows an object with the first words of the message.
 */
class Failure {
  readonly name: string;
  readonly message: string;
  readonly code: string;
  readonly stack: string;
  readonly cause: MessageError;

  constructor(error: SpeechError, origin: Origin) {
    this.name = error.name;
    this.message = error.message;
    this.code = error.code;
    this.stack = error.stack ?? '';
    this.cause = messageError(error, origin);
  }

  toString(): string {
    return this.message;
  }
}
