import {
  type Budget,
  type Client,
  type OperationName,
  type SpeakingAccount,
  type SpeechDefaults,
  SpeechError,
  type VoiceChoice,
} from '@herald-speech/client';
import type { Fleet, RedisReport, RedisServer } from '@herald-speech/fleet';
import type { Node, NodeAPI } from 'node-red';
import type { PortPlace } from '../output/urls/audio-server.js';
import type { PlayerAccess } from '../output/urls/base-url.js';
import type { Abilities } from './chain.js';
import { cacheOptions, localServiceIdentity } from './cache.js';
import { dataFolder, openLocalService, type Work } from './connection.js';
import { localSpeaker } from './speech.js';
import { say } from '../runtime/messages.js';
import { warmUp } from './warm-up.js';

/** Facts about the service of an account that the work on many texts needs. */
export interface ServiceFacts {
  /** `local`, or the URL of a hosted service, or the address and the settings of another service. */
  identity: string;
  /** A name of `services`. */
  kind: string;
  /** Whether speech costs nothing. */
  isFree: boolean;
  /** Requests per minute that the account allows at most. Infinity for a service without a limit. */
  requestsPerMinute: number;
  /** The price of a second of speech, if the user has set it. */
  creditsPerSecond?: number | undefined;
  /** Whether a remote service gets words in place of figures, which changes the sound. */
  writesFigures?: boolean;
}

export const localServiceFacts = (): ServiceFacts => ({
  identity: 'local',
  kind: 'local',
  isFree: true,
  requestsPerMinute: Infinity,
});

/** An account: a connection to a service, and defaults. */
export interface Account {
  /** They apply if neither the node nor the message sets a voice or a language. */
  readonly defaults: SpeechDefaults;
  /** The account as data, to speak with it, its pronunciations, its budget and its fallback: `speakWith` of the client. */
  readonly speaker: SpeakingAccount;
  /** @throws SpeechError `not-configured` for invalid settings */
  service(): ServiceFacts;
  /** Returns the abilities that the service and all fallbacks have. Undefined: all of the interface. */
  abilities?(): Abilities;
  /** Checks that the service has an operation. @throws SpeechError `not-supported` */
  checkNeeded?(name: OperationName): void;
  /** Starts the account's service in the background, and then `work`, if it is the local service. */
  prepare(work?: Work): void;
  /**
   * Waits until the service is reachable and returns its client.
   * @throws SpeechError `not-configured`, `no-connection`, or `aborted` by the signal
   */
  connect(signal: AbortSignal): Promise<Client>;
  /** Returns the use of the budget, or undefined without a budget. @throws SpeechError `not-configured` */
  budgetUse?(): Promise<Awaited<ReturnType<Budget['used']>> | undefined>;
  /** Returns the settings for players. @throws SpeechError `not-configured` for invalid settings */
  players?(): PlayerAccess;
  /** Opens an audio port until the next deploy. @throws SpeechError `not-configured` if it cannot open */
  openPort?(place: PortPlace): Promise<void>;
  /** Returns the fleet that the account has joined; undefined if it shares nothing. */
  fleet?(): Fleet | undefined;
  /** Whether Redis fails, so that the account uses only its share of the rate limit and the local cache. */
  isApart?(): boolean;
  /** Tests the Redis server of the account, or another one with the key of the account. @throws SpeechError */
  testRedis?(signal: AbortSignal, server?: RedisServer): Promise<RedisReport>;
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

/** Returns the accounts that run. */
export function deployedAccounts(RED: NodeAPI): AccountNode[] {
  const ids: string[] = [];
  RED.nodes.eachNode(({ id, type }) => {
    if (type === 'herald-account') ids.push(id);
  });
  return ids.flatMap((id) => nodeOf(RED, id) ?? []);
}

/** Returns the account with this node id as a speaker; undefined if the node is missing, disabled or not an account. */
export const speakingAccount = (RED: NodeAPI, id: string): SpeakingAccount | undefined =>
  nodeOf(RED, id)?.speaker;

/** Returns the fleet that the account with this node id has joined. */
export const fleetOfAccount = (RED: NodeAPI, id: string): Fleet | undefined => nodeOf(RED, id)?.fleet?.();

/** The account of a node for the lifetime of that node. */
interface AccountInUse {
  /** @throws SpeechError `not-configured` */
  account(): Account;
  close(): Promise<void>;
}

/**
 * Returns the account with this node id, looked up for each message. Without an id, uses the local service (docs/decisions/0035).
 * @param locale default language if the account has none: the editor's language when the node was added
 * @param voiceOf returns the voice of a node that speaks, whose engine then starts with the local service
 */
export function useAccount(
  RED: NodeAPI,
  id: unknown,
  locale: unknown,
  voiceOf?: () => Promise<VoiceChoice>,
): AccountInUse {
  const ofNode: SpeechDefaults = typeof locale === 'string' && locale !== '' ? { language: locale } : {};
  if (id) {
    const node = nodeOf(RED, id);
    node?.prepare(voiceOf && ((closing) => void warmUp(withDefaults(node, ofNode), voiceOf, closing)));
    return { account: () => withDefaults(accountOf(RED, id), ofNode), close: () => Promise.resolve() };
  }
  const cache = () => cacheOptions(RED, {}, 'local', localServiceIdentity(dataFolder(RED)));
  const { prepare, connect, close } = openLocalService(RED, () => ({ cache: cache() }));
  const speaker = localSpeaker({ connect }, ofNode);
  const account: Account = {
    prepare,
    connect,
    defaults: ofNode,
    speaker,
    service: localServiceFacts,
  };
  prepare(voiceOf && ((closing) => void warmUp(account, voiceOf, closing)));
  return { account: () => account, close };
}

function withDefaults(account: Account, defaults: SpeechDefaults): Account {
  const all = { ...defaults, ...account.defaults };
  return {
    defaults: all,
    speaker: account.speaker,
    service: () => account.service(),
    checkNeeded: (name) => account.checkNeeded?.(name),
    ...(account.abilities && { abilities: account.abilities }),
    budgetUse: async () => account.budgetUse?.(),
    prepare: (work) => account.prepare(work),
    connect: (signal) => account.connect(signal),
    players: () => account.players?.() ?? { baseUrl: '', port: undefined },
    fleet: () => account.fleet?.(),
    isApart: () => account.isApart?.() ?? false,
  };
}

function isAccount(node: unknown): node is AccountNode {
  return typeof node === 'object' && node !== null && 'connect' in node && 'defaults' in node;
}
