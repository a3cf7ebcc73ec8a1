import { checkRequest, type Client, type Progress, SpeechError, type z } from '@herald-speech/client';
import type { Node, NodeAPI, NodeDef, NodeMessage, NodeMessageInFlow } from 'node-red';
import { accountOf } from './account-node.js';
import { fail, settle } from './ports.js';
import { type Property, readProperties } from './properties.js';
import { createQueue, MAX_WAITING } from './queue.js';
import { createStatus } from './status.js';

/** A node as it is saved in a flow. */
export interface SavedNode extends NodeDef {
  account?: unknown;
  [property: string]: unknown;
}

/** One message at work. */
export interface Task<Request> {
  client: Client;
  /** What the properties gave, checked. */
  request: Request;
  /** The message without the error of an earlier try. */
  message: NodeMessage;
  /** Fires when the node is stopped. */
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  RED: NodeAPI;
  node: Node;
}

/** A node: what it saves, what it needs, and what it does with one message. */
export interface NodeDefinition<Schema extends z.ZodObject> {
  type: `herald-${string}`;
  /** What a message must give: an operation's request, with what the node adds. */
  request: Schema;
  /** The saved properties: fields of `request`, and no others. */
  properties: { [Field in keyof z.input<Schema>]?: Property };
  /** Whether a voice and a language that are said nowhere are the account's. A filter is not: blank means any. */
  speaks?: boolean;
  /** Work that is bound to the node's life, such as a route; returns how to end it. */
  open?(RED: NodeAPI, node: Node): () => void;
  /** The message, or messages, that leave on the first port. @throws SpeechError */
  run(task: Task<z.output<Schema>>): Promise<NodeMessage | NodeMessage[]>;
}

/**
 * A Node-RED node from its definition: properties, account, order, four ports, status and close are the same for all.
 * The build reads the definition back to write the node's editor page.
 */
export function defineNode<Schema extends z.ZodObject>(definition: NodeDefinition<Schema>) {
  const register = (RED: NodeAPI): void => {
    RED.nodes.registerType(definition.type, function (this: Node, saved: SavedNode) {
      RED.nodes.createNode(this, saved);
      attach(RED, this, saved, definition);
    });
  };
  return Object.assign(register, { definition });
}

function attach<Schema extends z.ZodObject>(
  RED: NodeAPI,
  node: Node,
  saved: SavedNode,
  definition: NodeDefinition<Schema>,
): void {
  const closing = new AbortController();
  const queue = createQueue();
  const status = createStatus(node, () => Math.max(0, queue.size - 1));
  const close = definition.open?.(RED, node);
  const { signal } = closing;

  node.on('input', (message, send, done) => {
    const handle = async () => {
      status.progress({ state: 'queued' });
      const work = () =>
        perform(definition, { RED, node, saved, message, signal, onProgress: status.progress });
      const error = await settle(node, message, work, send, done);
      if (error === undefined) status.done();
      else status.failed(error);
    };
    // What is caught here was thrown by Node-RED, or a hook in it, while the message left: those behind go on.
    const taken = queue.add(() => handle().catch((thrown: unknown) => node.error(thrown)));
    if (taken) status.refresh();
    else fail(node, message, tooMany(), send, done);
  });
  node.on('close', (_removed: boolean, done: () => void) => {
    // A full deploy stops those who would get them as well: then this is all that is heard of them.
    if (queue.size > 0) node.warn(`stopped with ${queue.size} messages in hand: they leave as failed`);
    closing.abort(new SpeechError('aborted', 'the node was stopped or deployed anew'));
    void queue.idle().then(() => {
      close?.();
      status.clear();
      done();
    });
  });
}

function tooMany(): SpeechError {
  return new SpeechError(
    'busy',
    `${MAX_WAITING} messages wait at this node already: send again when fewer do`,
  );
}

interface Performance {
  RED: NodeAPI;
  node: Node;
  saved: SavedNode;
  message: NodeMessageInFlow;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

async function perform<Schema extends z.ZodObject>(
  { request, properties, run, speaks = false }: NodeDefinition<Schema>,
  { RED, node, saved, message: original, signal, onProgress }: Performance,
): Promise<NodeMessage | NodeMessage[]> {
  signal.throwIfAborted();
  const account = accountOf(RED, saved.account);
  const message: NodeMessage = { ...original };
  delete message['error'];
  const values = await readProperties({ RED, node, saved }, properties, message);
  const checked = checkRequest(request, { ...(speaks && account.defaults), ...values });
  const client = await account.connect(signal);
  return run({ client, request: checked, message, signal, onProgress, RED, node });
}
