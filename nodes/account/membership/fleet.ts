import { asSpeechError, SpeechError, type Text } from '@herald-speech/client';
import type { Fleet, FleetOptions, FleetState, RedisReport, RedisServer } from '@herald-speech/fleet';
import type { Node, NodeAPI } from 'node-red';
import { localize, localizeError } from '../../runtime/localize.js';
import { say } from '../../runtime/messages.js';
import { afterStart } from '../connection.js';
import { fleetPackage } from './fleet-package.js';
import {
  type Credentials,
  fleetCacheOf,
  isShared,
  redisOf,
  type SavedFleet,
  worksForOthers,
} from './fleet-settings.js';
import { remoteOf, type SavedChoice, trimmedText } from '../services.js';

/** The membership of an account in its fleet, from the start of its flows until `close`. */
interface Membership {
  /** Joins at the first call. Undefined if the account shares nothing. @throws SpeechError `not-configured` */
  join(): Fleet | undefined;
  /** Returns the fleet if the account has joined or is about to. */
  current(): Fleet | undefined;
  /** Why the account is without its fleet; undefined if it shares, or has no fleet. */
  apart(): Text | undefined;
  /**
   * Tests Redis.
   * @param server default: the server of the account
   * @throws SpeechError
   */
  test(signal: AbortSignal, server?: RedisServer): Promise<RedisReport>;
  close(): Promise<void>;
}

/** The saved properties, the name in the log, and the credentials of an account of a remote service. */
interface MemberAccount {
  saved: SavedFleet & SavedChoice;
  name: string;
  credentials: Credentials;
  /** Makes prompts of other members until the signal aborts. */
  serve(fleet: Fleet, signal: AbortSignal): void;
}

/** The membership of an account that shares nothing. */
export const noMembership: Membership = {
  join: () => undefined,
  current: () => undefined,
  apart: () => undefined,
  test: () => Promise.reject(new SpeechError('not-configured', say('fleet-url', { field: 'fleetUrl' }))),
  close: () => Promise.resolve(),
};

/**
 * Joins the fleet of an account when Node-RED has started its flows, and reports its state. Invalid settings fail each
 * message, not the deploy.
 */
export function fleetOf(RED: NodeAPI, node: Node, account: MemberAccount): Membership {
  if (!isShared(account.saved)) return noMembership;
  const closing = new AbortController();
  let fleet: Fleet | undefined;
  const join = () => {
    if (closing.signal.aborted) throw new SpeechError('aborted', say('account-stopped'));
    return (fleet ??= joinedFleet(RED, node, account, closing.signal));
  };
  const cancel = afterStart(RED, () => {
    try {
      join();
    } catch (thrown) {
      node.warn(localizeError(RED, asSpeechError(thrown)).message);
    }
  });
  return {
    join,
    current: () => fleet,
    apart: () => (fleet === undefined ? undefined : reasonOf(fleet.state)),
    test: (signal, server) => tested(RED, account, signal, server),
    async close() {
      cancel();
      closing.abort(new SpeechError('aborted', say('account-stopped')));
      await fleet?.close();
    },
  };
}

/** Joins the fleet, and starts the work for other members. @throws SpeechError `not-configured` */
function joinedFleet(RED: NodeAPI, node: Node, account: MemberAccount, signal: AbortSignal): Fleet {
  const { saved, name, serve } = account;
  const options = {
    ...optionsOf(RED, account),
    cache: fleetCacheOf(saved),
    onChange: reporter(RED, node, name),
  };
  try {
    const fleet = fleetPackage(RED).joinFleet(options);
    if (worksForOthers(saved)) serve(fleet, signal);
    return fleet;
  } catch (thrown) {
    throw inDialog(thrown);
  }
}

async function tested(RED: NodeAPI, account: MemberAccount, signal: AbortSignal, server?: RedisServer) {
  try {
    return await fleetPackage(RED).testRedis({ ...optionsOf(RED, account), ...server }, signal);
  } catch (thrown) {
    throw inDialog(thrown);
  }
}

function optionsOf(
  RED: NodeAPI,
  { saved, credentials }: MemberAccount,
): Omit<FleetOptions, 'cache' | 'onChange'> {
  const account = fleetAccountOf(saved, credentials.apiKey);
  return { ...redisOf(RED, saved, credentials), account, work: serviceSettings(saved) };
}

/** Returns the settings of a service that change its speech; undefined for a hosted service, which has none. */
function serviceSettings(saved: SavedChoice): string | undefined {
  const choice = remoteOf(saved)?.upstream(saved);
  return choice === undefined || choice.kind === 'hosted' ? undefined : JSON.stringify(choice);
}

/** Returns the account of a fleet. Accounts with the same address and key share the limits. */
export function fleetAccountOf(saved: SavedChoice, typedKey: unknown): FleetOptions['account'] {
  const { addressIn = 'url', key } = remoteOf(saved) ?? {};
  const apiKey = key === 'none' ? '' : trimmedText(typedKey);
  return { url: trimmedText(saved[addressIn]), apiKey, hasKey: key === 'required' };
}

/** The options of the fleet, and the properties of the account in their messages. */
const PROPERTIES = new Map<unknown, string>([
  ['url', 'fleetUrl'],
  ['prefix', 'fleetPrefix'],
]);

/** Returns an error. If it is about an option of the fleet, its message names the property of the account. */
function inDialog(thrown: unknown): SpeechError {
  const error = asSpeechError(thrown);
  const { text } = error;
  const field = PROPERTIES.get(text?.values['field']);
  if (text === undefined || field === undefined) return error;
  return error.with({ message: { ...text, values: { ...text.values, field } } });
}

/** A member that has not yet connected has no reason. */
const reasonOf = ({ isJoined, reason }: FleetState): Text | undefined => (isJoined ? undefined : reason);

/** Logs each change between joined and apart once. */
function reporter(RED: NodeAPI, node: Node, account: string): (state: FleetState) => void {
  let last: boolean | undefined;
  return (state) => {
    const reason = reasonOf(state);
    if (state.isJoined === last || (!state.isJoined && reason === undefined)) return;
    last = state.isJoined;
    const share = Math.round(state.share);
    if (reason === undefined) node.log(localize(RED, say('fleet-joined', { account })));
    else node.warn(localize(RED, say('fleet-apart', { account, reason, share })));
  };
}

/** Returns the methods of an account about its fleet. */
export const fleetMethods = ({ current, apart, test }: Membership) => ({
  fleet: current,
  isApart: () => apart() !== undefined,
  testRedis: test,
});

/** Returns a function for the warning of a text that an account speaks without its fleet. */
export const apartWarning =
  ({ apart }: Membership) =>
  (): Text | undefined => {
    const reason = apart();
    return reason && say('warning-apart', { reason });
  };
