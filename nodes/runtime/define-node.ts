import { checkRequest, type Client, type z } from '@herald-speech/client';
import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red';
import { type Account, useAccount } from '../account/account-node.js';
import { openInbox, type Turn } from './inbox.js';
import { orderOf } from './queue-mode.js';
import { type Properties, type Property, type Reader, readProperties } from './properties.js';

/** A node as it is saved in a flow. */
export interface SavedNode extends NodeDef {
  account?: unknown;
  [property: string]: unknown;
}

/** One message at work. */
export interface Task<Request> extends Turn {
  client: Client;
  /** What the properties gave, checked. */
  request: Request;
  /** The message without the error of an earlier try. */
  message: NodeMessage;
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
  /** Properties that the label of an unnamed node shows: the first one with a typed value. */
  label?: readonly (keyof z.input<Schema>)[];
  /** Panel below the form: speaks a sample text, or lists the voices that the filters find. */
  below?: 'try' | 'preview';
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
  const reader = { RED, node, saved };
  const { properties }: { properties: Properties } = definition;
  const { account, close: closeAccount } = useAccount(RED, saved.account);
  const close = definition.open?.(RED, node);
  openInbox({
    RED,
    node,
    work: async (message, turn) => perform(definition, { ...reader, account: account() }, message, turn),
    orderOf: (message) => orderOf(reader, properties, message),
    async close() {
      close?.();
      await closeAccount();
    },
  });
}

async function perform<Schema extends z.ZodObject>(
  { request, properties, run, speaks = false }: NodeDefinition<Schema>,
  { account, ...reader }: Reader & { account: Account },
  original: NodeMessage,
  turn: Turn,
): Promise<NodeMessage | NodeMessage[]> {
  turn.signal.throwIfAborted();
  const message: NodeMessage = { ...original };
  delete message['error'];
  const values = await readProperties(reader, properties, message);
  const checked = checkRequest(request, { ...(speaks && account.defaults), ...values });
  const client = await account.connect(turn.signal);
  const { RED, node } = reader;
  return run({ ...turn, client, request: checked, message, RED, node });
}
