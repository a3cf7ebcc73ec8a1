import { type Client, SpeechError } from '@herald-speech/client';
import type { Node, NodeAPI } from 'node-red';
import { MACHINE_VOICE, thisMachine } from './connection.js';

/** What a message takes from the account where neither the node nor the message says it. */
export interface AccountDefaults {
  voice_id?: string;
  language?: string;
}

/** Where to speak to. */
export interface Account {
  readonly defaults: AccountDefaults;
  /**
   * The way to the account's service, once it can be spoken to.
   * @throws SpeechError `not-configured`, `no-connection`, or `aborted` by the signal
   */
  connect(signal: AbortSignal): Promise<Client>;
}

/** The account config node, as the other nodes see it. */
export type AccountNode = Account & Node;

/**
 * The account that a node names.
 * @throws SpeechError `not-configured` when it is not there, or something else
 */
export function accountOf(RED: NodeAPI, id: unknown): Account {
  const node: unknown = typeof id === 'string' ? RED.nodes.getNode(id) : undefined;
  if (isAccount(node)) return node;
  throw new SpeechError('not-configured', 'account: the chosen one is missing or disabled: choose another');
}

/** What a node holds of its account for as long as it lives. */
interface AccountInUse {
  /** @throws SpeechError `not-configured` */
  account(): Account;
  close(): Promise<void>;
}

/** The account that a node names, looked up for each message; where it names none, this machine speaks (decisions/0029). */
export function useAccount(RED: NodeAPI, id: unknown): AccountInUse {
  if (id) return { account: () => accountOf(RED, id), close: () => Promise.resolve() };
  const { connect, close } = thisMachine(RED);
  const account: Account = { connect, defaults: { voice_id: MACHINE_VOICE, language: 'en' } };
  return { account: () => account, close };
}

function isAccount(node: unknown): node is AccountNode {
  return typeof node === 'object' && node !== null && 'connect' in node && 'defaults' in node;
}
