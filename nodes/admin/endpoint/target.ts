import { lazy, SpeechError, z } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { type AccountNode, accountOf } from '../../account/account-node.js';
import { fleetDefaults } from '../../account/membership/fleet-settings.js';
import { limitDefaults } from '../../account/limits.js';
import { programDefaults } from '../../account/programs.js';
import { type RemoteService, remoteOf } from '../../account/services.js';
import { speechDefaults } from '../../account/settings.js';
import type { EditorConnections, TypedAccount } from './editor-connections.js';
import { say } from '../../runtime/messages.js';
import { propertyOf } from '../../runtime/objects.js';

/** Maximum length of one value from the editor, in UTF-16 code units. */
const MAX_VALUE_LENGTH = 2000;

/** The account of a request: the id of the deployed account, or the values typed in the dialog. */
export const target = lazy(() => {
  const value = z.string().max(MAX_VALUE_LENGTH);
  return z.object({
    account: value.optional(),
    typed: z.record(z.string().max(100), value).optional(),
  });
});

/** A connection to the service of an account, with the account's defaults. */
export type ResolvedTarget = Pick<AccountNode, 'connect' | 'defaults'>;

/** The placeholder that the editor shows for a stored password. */
export const STORED = '__PWRD__';
/** Properties that do not affect where the key is sent. */
const HARMLESS = new Set(
  [
    'version',
    'name',
    'apiKey',
    'requestsPerMinute',
    'voice_id',
    'language',
    'fleetUser',
    'fleetPassword',
    'programsKey',
  ].concat(Object.keys({ ...limitDefaults, ...speechDefaults, ...fleetDefaults, ...programDefaults })),
);
/** Whether Node-RED replaces a text by the value of an environment variable, such as `${NAME}`. */
export const isVariable = (text: string): boolean => /^\$\{[^}]+\}$/.test(text);

type AskedTarget = z.output<ReturnType<typeof target>>;

/** Returns whether a request goes to an address that is not deployed. Such a request needs the permission `flows.write`. */
export function isNewAddress(RED: NodeAPI, asked: AskedTarget): boolean {
  const { account, typed } = asked;
  const service = typed && remoteOf(typed);
  if (typed === undefined || service === undefined) return false;
  if (typedKeyFor(service, typed) !== '') return true;
  // The stored key of a hosted service goes to the deployed address only.
  return service.key !== 'required' && changedField(RED, account, typed) !== undefined;
}

/**
 * Returns the connection for a request. A stored key is sent only to the address that was deployed with it, never to a typed
 * address.
 * @throws SpeechError `not-configured`, with a message for the dialog
 */
export function resolveTarget(
  RED: NodeAPI,
  connections: EditorConnections,
  { account, typed }: AskedTarget,
): ResolvedTarget {
  if (typed === undefined) return accountOf(RED, account);
  const service = remoteOf(typed);
  if (service === undefined) return connections.open(typed);
  const key = typedKeyFor(service, typed);
  if (key !== '') return connections.open(withoutVariables(typed, [service.addressIn, 'apiKey']));
  const needsStored = service.key !== 'none' && hasKey(RED, account);
  if (service.key === 'required' && !needsStored)
    throw new SpeechError('not-configured', say('key-not-given', { field: 'apiKey' }));
  const field = changedField(RED, account, typed);
  if (field !== undefined && needsStored)
    throw new SpeechError('not-configured', say('key-address', { field }));
  if (field !== undefined || changedField(RED, account, typed, SOUND) !== undefined) {
    const apiKey = needsStored ? storedKey(RED, account) : '';
    return connections.open(withoutVariables({ ...typed, apiKey }, [service.addressIn]));
  }
  const { connect } = accountOf(RED, account);
  return { connect, defaults: connections.defaultsOf(typed) };
}

/** Returns the typed key; a blank text for a service without keys. */
const typedKeyFor = (service: RemoteService, typed: TypedAccount): string =>
  service.key === 'none' ? '' : typedKey(typed);

/** The properties of the requests to an address. */
const SOUND = ['model', 'voices', 'maxTextLength', 'instructions'];

/**
 * Returns the first property whose typed value is not deployed; the address of an account that does not exist.
 * @param names default: the properties that decide where the key is sent
 */
function changedField(
  RED: NodeAPI,
  account: string | undefined,
  typed: TypedAccount,
  names = Object.keys(typed).filter((name) => !HARMLESS.has(name) && !SOUND.includes(name)),
): string | undefined {
  const saved = savedAccount(RED, account);
  if (saved === undefined) return remoteOf(typed)?.addressIn;
  return names.find((name) => (typed[name] ?? '').trim() !== saved(name));
}

/** Returns the key of the deployed account, with the value of its environment variable. */
function storedKey(RED: NodeAPI, id: string | undefined): string {
  const credentials = propertyOf(id === undefined ? undefined : RED.nodes.getNode(id), 'credentials');
  const key = propertyOf(credentials, 'apiKey');
  return typeof key === 'string' ? key : '';
}

function hasKey(RED: NodeAPI, id: string | undefined): boolean {
  const stored: unknown = id === undefined ? undefined : RED.nodes.getCredentials(id);
  return typeof stored === 'object' && stored !== null && 'apiKey' in stored && Boolean(stored.apiKey);
}

/** Returns the typed key; a blank text if the dialog shows a stored one. */
export function typedKey({ apiKey = '' }: TypedAccount): string {
  return apiKey === STORED ? '' : apiKey;
}

/** Returns a function that reads the saved properties of an account, or undefined if the account does not exist. */
export function savedAccount(RED: NodeAPI, id: string | undefined): ((name: string) => string) | undefined {
  let found: object | undefined;
  RED.nodes.eachNode((node) => {
    if (node.id === id && node.type === 'herald-account') found = node;
  });
  if (found === undefined) return undefined;
  const values = new Map<string, unknown>(Object.entries(found));
  return (name) => {
    const saved = values.get(name);
    if (name === 'service' && saved === undefined) return 'hosted'; // Saved before this property existed. The runtime migrates it.
    return typeof saved === 'string' ? saved.trim() : '';
  };
}

/**
 * Returns the typed values. Environment variables are rejected, so that their values are never sent to a typed address.
 * @throws SpeechError `not-configured` if one of the fields names a variable
 */
export function withoutVariables(typed: TypedAccount, fields: readonly string[]): TypedAccount {
  const named = fields.find((name) => isVariable(typed[name] ?? ''));
  if (named === undefined) return typed;
  throw new SpeechError('not-configured', say('environment', { field: named }));
}
