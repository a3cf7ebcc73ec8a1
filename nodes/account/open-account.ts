import path from 'node:path';
import {
  abridgedText,
  type Budget,
  type CircuitChange,
  type ClientOptions,
  createBreaker,
  createBudget,
  lazy,
  type SpeakingAccount,
  type SpeechDefaults,
  SpeechError,
} from '@herald-speech/client';
import type { Fleet } from '@herald-speech/fleet';
import type { Node, NodeAPI } from 'node-red';
import { localize } from '../runtime/localize.js';
import { say } from '../runtime/messages.js';
import { type Account, localServiceFacts, type ServiceFacts, speakingAccount } from './account-node.js';
import { apartWarning, fleetMethods, fleetOf, noMembership } from './membership/fleet.js';
import type { Credentials, SavedFleet } from './membership/fleet-settings.js';
import { cacheOptions, localServiceIdentity } from './cache.js';
import { dataFolder, openLocalService, type StartableConnection } from './connection.js';
import { openRemoteService, type SavedService } from './remote-service.js';
import { savedNumber } from './limits.js';
import { openPlayers, type SavedPlayers } from './players.js';
import { programAccessOf, type SavedPrograms } from './programs.js';
import { budgetLimitsOf, fallbackOf, patienceOf, pronunciationsOf, type SavedSpeech } from './settings.js';
import { abilitiesOf, chainMethods, chainOf, readingsOf } from './chain.js';
import { remoteReading } from './reading.js';
import { type RemoteService, remoteOf, serviceOf, trimmedText } from './services.js';
import { localSpeaker } from './speech.js';

/** The saved properties of an account that the runtime uses. */
export interface SavedAccount extends SavedService, SavedSpeech, SavedFleet, SavedPlayers, SavedPrograms {
  name?: unknown;
  service?: unknown;
  voice_id?: unknown;
  language?: unknown;
}

/** An open account and its release. */
interface OpenAccount {
  account: Account;
  close(): Promise<void>;
}

/**
 * Opens the account of a config node. Invalid settings fail each message, not the deploy.
 * @param servePrompts makes prompts of other members with the account
 */
export function openAccount(
  RED: NodeAPI,
  node: Node,
  saved: SavedAccount,
  credentials: Credentials,
  servePrompts: (account: Account, fleet: Fleet, signal: AbortSignal) => void,
): OpenAccount {
  const name = nameOf(saved);
  const isLocal = serviceOf(saved) === 'local';
  const budget = lazy(() => budgetOf(RED, { id: node.id, name }, saved));
  const cache = (service?: string) => cacheOptions(RED, saved, node.id, service);
  const ofLocalService = () => cache(localServiceIdentity(dataFolder(RED)));
  const serve = (fleet: Fleet, signal: AbortSignal) => servePrompts(account, fleet, signal);
  const fleet = isLocal ? noMembership : fleetOf(RED, node, { saved, name, credentials, serve });
  const speechOptions = () => ({ budget: budget(), cache: cache(), sharing: fleet.join()?.sharing });
  const connection = isLocal
    ? openForPrograms(RED, node, saved, () => ({ cache: ofLocalService() }))
    : connectionOf(RED, saved, credentials.apiKey, speechOptions);
  const local = openLocalService(RED, () => ({ cache: ofLocalService() }));
  const fallback = fallbackFinder(RED, node, saved, isLocal ? undefined : localSpeaker(local));
  const connect = (signal: AbortSignal) => connection.connect(signal);
  const speaker = speakerOfAccount(RED, node, saved, { connect, fallback, warning: apartWarning(fleet) });
  const { close: closePlayers, ...players } = openPlayers(RED, node, name, saved);
  const account: Account = {
    defaults: speaker.defaults,
    speaker,
    service: () => serviceFactsOf(saved),
    ...chainMethods(RED, node.id, saved),
    prepare: (work) => connection.prepare(work),
    connect,
    budgetUse: async () => budget()?.used(),
    ...players,
    ...fleetMethods(fleet),
  };
  const close = async () => {
    await Promise.all([connection.close(), local.close(), closePlayers()]);
    await Promise.all([fleet.close(), savedBudget(budget)]);
  };
  return { account, close };
}

/**
 * Returns the budget of an account, with its use in a file of the data folder. Undefined without limits.
 * @param account the id of the node, which names the file, and its name in the log
 * @throws SpeechError `not-configured` for invalid limits, or without a data folder
 */
function budgetOf(
  RED: NodeAPI,
  account: { id: string; name: string },
  saved: SavedAccount,
): Budget | undefined {
  // The dialog of a free service hides the budget.
  const limits = serviceFactsOf(saved).isFree ? undefined : budgetLimitsOf(saved);
  if (limits === undefined) return undefined;
  const file = path.join(dataFolder(RED), 'budget', `${encodeURIComponent(account.id)}.json`);
  return createBudget({
    ...limits,
    file,
    warn(kind, damaged, error) {
      const problem = error instanceof Error ? error.message : String(error);
      const values = { account: account.name, file: damaged, problem };
      RED.log.warn(`[herald] ${localize(RED, say(`budget-${kind}`, values))}`);
    },
  });
}

function speakerOfAccount(
  RED: NodeAPI,
  node: Node,
  saved: SavedAccount,
  methods: Pick<SpeakingAccount, 'connect' | 'fallback' | 'warning'>,
): SpeakingAccount {
  const name = nameOf(saved);
  return {
    id: node.id,
    name,
    defaults: speechDefaultsOf(saved),
    breaker: createBreaker({ onChange: (change) => reportCircuit(RED, node, name, change) }),
    patience: () => patienceOf(saved),
    pronunciations: lazy(() => pronunciationsOf(saved)),
    readings: () => readingsOf(chainOf(RED, node.id, saved)),
    maxPieceLength: () => abilitiesOf(chainOf(RED, node.id, saved)).maxTextLength,
    ...methods,
  };
}

/** @param local the local service as a fallback; undefined if the account itself uses it */
function fallbackFinder(
  RED: NodeAPI,
  node: Node,
  saved: SavedAccount,
  local: SpeakingAccount | undefined,
): SpeakingAccount['fallback'] {
  const values = { account: nameOf(saved) };
  const warnOfMissing = lazy(() => node.warn(localize(RED, say('fallback-missing', values))));
  return () => {
    const choice = fallbackOf(saved);
    if (choice === 'none') return undefined;
    if (choice === 'local') return local;
    if (choice.id === node.id) throw new SpeechError('not-configured', say('fallback-self'));
    const other = speakingAccount(RED, choice.id);
    if (other === undefined) warnOfMissing();
    return other;
  };
}

/** Waits for the last write of a budget. */
async function savedBudget(budget: () => Budget | undefined): Promise<void> {
  try {
    await budget()?.saved();
  } catch {
    // Invalid limits: no message was spoken.
  }
}

/** Logs the start and the end of an outage of the service. */
function reportCircuit(RED: NodeAPI, node: Node, account: string, change: CircuitChange): void {
  if (!change.isOpen) return node.log(localize(RED, say('circuit-closed', { account })));
  const { count, seconds } = change;
  node.warn(localize(RED, say('circuit-opened', { account, count, seconds })));
}

/** Opens the local service with the ports for other programs. With ports, it starts although no node uses the account. */
function openForPrograms(
  RED: NodeAPI,
  node: Node,
  saved: SavedAccount,
  speechOptions: () => Partial<ClientOptions>,
): StartableConnection {
  const access = programAccessOf(RED, node, nameOf(saved), saved);
  const connection = openLocalService(RED, speechOptions, access);
  if (access !== undefined) connection.prepare();
  return connection;
}

/**
 * Opens the connection of an account.
 * @param speechOptions returns further options of the client
 */
export function connectionOf(
  RED: NodeAPI,
  saved: SavedAccount,
  key: unknown,
  speechOptions: () => Partial<ClientOptions> = () => ({}),
): StartableConnection {
  const remote = remoteOf(saved);
  if (remote !== undefined) return openRemoteService(RED, remote, saved, key, speechOptions);
  const service = serviceOf(saved);
  if (service === 'local') return openLocalService(RED, speechOptions);
  const wrong = new SpeechError('not-configured', say('account-service', { value: abridgedText(service) }));
  return { prepare: () => undefined, connect: () => Promise.reject(wrong), close: () => Promise.resolve() };
}

/** Requests per minute of an account whose type is not known (docs/interface.md#limits). */
const AUTOMATIC_RATE: ReadonlyMap<unknown, number> = new Map([['hosted', 60]]);

/** Returns the facts of the service of an account, deployed or typed in its dialog. */
export function serviceFactsOf(saved: SavedAccount): ServiceFacts {
  const remote = remoteOf(saved);
  if (remote === undefined) return localServiceFacts();
  const rate = savedNumber(saved.requestsPerMinute);
  const price = savedNumber(saved.creditsPerSecond);
  return {
    identity: identityOf(remote, saved),
    kind: String(serviceOf(saved)),
    isFree: remote.isFree,
    requestsPerMinute: typeof rate === 'number' ? rate : (AUTOMATIC_RATE.get(serviceOf(saved)) ?? Infinity),
    creditsPerSecond: typeof price === 'number' ? price : undefined,
    ...(remoteReading(saved) && { writesFigures: true }),
  };
}

/** Returns the default voice and language of an account. */
export function speechDefaultsOf(saved: SavedAccount): SpeechDefaults {
  const [voice_id, language] = [trimmedText(saved.voice_id), trimmedText(saved.language)];
  return { ...(voice_id && { voice_id }), ...(language && { language }) };
}

/** Returns the address of a service, with the settings that change the sound of each request. */
function identityOf({ addressIn, upstream }: RemoteService, saved: SavedAccount): string {
  const address = trimmedText(saved[addressIn]);
  const choice = upstream(saved);
  // Files of prompts of earlier versions have the URL alone.
  return choice.kind === 'hosted' ? address : JSON.stringify([address, choice]);
}

/** Returns the name of an account in logs and reports: its name, the host of its service, or `local`. */
function nameOf(saved: SavedAccount): string {
  const remote = remoteOf(saved);
  const address = remote === undefined ? '' : trimmedText(saved[remote.addressIn]);
  const host = URL.canParse(address) ? new URL(address).host : '';
  return trimmedText(saved.name) || host || (remote?.addressIn === 'address' && address) || 'local';
}
