import { type Client, SpeechError } from '@herald-speech/client';
import type { Node, NodeAPI } from 'node-red';
import { DEFAULT_LOCAL_VOICE, openLocalService } from './connection.js';

/** The account's defaults. They apply if neither the node nor the message sets a value. */
export interface AccountDefaults {
  voice_id?: string;
  language?: string;
}

/** An account: a connection to a service, and defaults. */
export interface Account {
  readonly defaults: AccountDefaults;
  /**
   * Waits until the service is reachable and returns its client.
   * @throws SpeechError `not-configured`, `no-connection`, or `aborted` by the signal
   */
  connect(signal: AbortSignal): Promise<Client>;
}

/** The account config node, as other nodes use it. */
export type AccountNode = Account & Node;

/**
 * Returns the account with this node id.
 * @throws SpeechError `not-configured` if the node is missing, disabled or not an account
 */
export function accountOf(RED: NodeAPI, id: unknown): Account {
  const node: unknown = typeof id === 'string' ? RED.nodes.getNode(id) : undefined;
  if (isAccount(node)) return node;
  throw new SpeechError(
    'not-configured',
    'account: the selected account is missing or disabled: select another',
  );
}

/** The account of a node for the lifetime of that node. */
interface AccountInUse {
  /** @throws SpeechError `not-configured` */
  account(): Account;
  close(): Promise<void>;
}

/** Returns the account with this node id, looked up for each message. Without an id, uses the local service (docs/decisions/0029). */
export function useAccount(RED: NodeAPI, id: unknown): AccountInUse {
  if (id) return { account: () => accountOf(RED, id), close: () => Promise.resolve() };
  const { connect, close } = openLocalService(RED);
  const account: Account = { connect, defaults: { voice_id: DEFAULT_LOCAL_VOICE, language: 'en' } };
  return { account: () => account, close };
}

function isAccount(node: unknown): node is AccountNode {
  return typeof node === 'object' && node !== null && 'connect' in node && 'defaults' in node;
}
