import { checkRequest, type Client, type Progress, SpeechError, type z } from '@herald-speech/client';
import type { Node, NodeAPI, NodeDef, NodeMessage, NodeMessageInFlow } from 'node-red';
import { accountOf } from './account-node.js';
import { deliver, fail } from './ports.js';
import { type Property, readProperties } from './properties.js';
import { createQueue } from './queue.js';
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

  const work = async (message: NodeMessageInFlow): Promise<NodeMessage | NodeMessage[]> => {
    status.progress({ state: 'queued' });
    return perform(definition, {
      RED,
      node,
      saved,
      message,
      closing: closing.signal,
      onProgress: status.progress,
    });
  };
  node.on('input', (message, send, done) => {
    const handled = queue.add(async () => {
      try {
        deliver(await work(message), send, done);
        status.done();
      } catch (thrown) {
        status.failed(fail(node, message, thrown, send, done));
      }
    });
    handled.catch((busy: unknown) => fail(node, message, busy, send, done));
    status.refresh();
  });
  node.on('close', (_removed: boolean, done: () => void) => {
    if (queue.size > 0) node.warn(`stopped with ${queue.size} messages in hand: they leave as failed`);
    closing.abort(new SpeechError('aborted', 'the node was stopped or deployed anew'));
    void queue.idle().then(() => {
      close?.();
      status.clear();
      done();
    });
  });
}

interface Performance {
  RED: NodeAPI;
  node: Node;
  saved: SavedNode;
  message: NodeMessageInFlow;
  closing: AbortSignal;
  onProgress: (progress: Progress) => void;
}

async function perform<Schema extends z.ZodObject>(
  { request, properties, run, speaks = false }: NodeDefinition<Schema>,
  { RED, node, saved, message: original, closing, onProgress }: Performance,
): Promise<NodeMessage | NodeMessage[]> {
  closing.throwIfAborted();
  const account = accountOf(RED, saved.account);
  const message: NodeMessage = { ...original };
  delete message['error'];
  const values = await readProperties({ RED, node, saved }, properties, message);
  const checked = checkRequest(request, { ...(speaks && account.defaults), ...values });
  const client = await account.connect(closing);
  return run({ client, request: checked, message, signal: closing, onProgress, RED, node });
}
