import { type Client, SpeechError } from '@herald-speech/client';
import type { Node, NodeAPI } from 'node-red';

/** What a message takes from the account where neither the node nor the message says it. */
export interface AccountDefaults {
  voice_id?: string;
  language?: string;
}

/** The account config node, as the other nodes see it. */
export interface AccountNode extends Node {
  readonly defaults: AccountDefaults;
  /**
   * The way to the account's service, once it can be spoken to.
   * @throws SpeechError `not-configured`, `no-connection`, or `aborted` by the signal
   */
  connect(signal: AbortSignal): Promise<Client>;
}

/**
 * The account that a node names.
 * @throws SpeechError `not-configured` when there is none, or it is something else
 */
export function accountOf(RED: NodeAPI, id: unknown): AccountNode {
  const node: unknown = typeof id === 'string' ? RED.nodes.getNode(id) : undefined;
  if (isAccount(node)) return node;
  throw new SpeechError(
    'not-configured',
    id
      ? 'account: the chosen one is missing or disabled: choose another'
      : 'account: none is chosen: open the node and choose one',
  );
}

function isAccount(node: unknown): node is AccountNode {
  return typeof node === 'object' && node !== null && 'connect' in node && 'defaults' in node;
}
