import { type Client, type SpeechDefaults, SpeechError } from '@herald-speech/client';
import type { Node, NodeAPI } from 'node-red';
import { openLocalService } from './connection.js';
import { say } from '../runtime/messages.js';

/** An account: a connection to a service, and defaults. */
export interface Account {
  /** They apply if neither the node nor the message sets a voice or a language. */
  readonly defaults: SpeechDefaults;
  /** Starts the account's service in the background, if it is the local service. */
  prepare(): void;
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
  const account = nodeOf(RED, id);
  if (account !== undefined) return account;
  throw new SpeechError('not-configured', say('account-missing'));
}

function nodeOf(RED: NodeAPI, id: unknown): AccountNode | undefined {
  const node: unknown = typeof id === 'string' ? RED.nodes.getNode(id) : undefined;
  return isAccount(node) ? node : undefined;
}

/** The account of a node for the lifetime of that node. */
interface AccountInUse {
  /** @throws SpeechError `not-configured` */
  account(): Account;
  close(): Promise<void>;
}

/**
 * Returns the account with this node id, looked up for each message. Without an id, uses the local service (docs/decisions/0029).
 * @param locale default language if the account has none: the editor's language when the node was added
 */
export function useAccount(RED: NodeAPI, id: unknown, locale: unknown): AccountInUse {
  const ofNode: SpeechDefaults = typeof locale === 'string' && locale !== '' ? { language: locale } : {};
  if (id) {
    nodeOf(RED, id)?.prepare();
    return { account: () => withDefaults(accountOf(RED, id), ofNode), close: () => Promise.resolve() };
  }
  const { prepare, connect, close } = openLocalService(RED);
  const account: Account = { prepare, connect, defaults: ofNode };
  prepare();
  return { account: () => account, close };
}

function withDefaults(account: Account, defaults: SpeechDefaults): Account {
  return {
    defaults: { ...defaults, ...account.defaults },
    prepare: () => account.prepare(),
    connect: (signal) => account.connect(signal),
  };
}

function isAccount(node: unknown): node is AccountNode {
  return typeof node === 'object' && node !== null && 'connect' in node && 'defaults' in node;
}
