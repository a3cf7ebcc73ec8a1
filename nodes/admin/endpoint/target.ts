import { lazy, SpeechError, z } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { type AccountNode, accountOf } from '../../account/account-node.js';
import { fleetDefaults } from '../../account/fleet-settings.js';
import { limitDefaults } from '../../account/limits.js';
import { programDefaults } from '../../account/programs.js';
import { speechDefaults } from '../../account/settings.js';
import type { EditorConnections, TypedAccount } from './editor-connections.js';
import { say } from '../../runtime/messages.js';

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
const ENVIRONMENT = /^\$\{[^}]+\}$/;

/** Returns whether a request goes to an address that is not deployed. Such a request needs the permission `flows.write`. */
export const isNewAddress = ({ typed }: z.output<ReturnType<typeof target>>): boolean =>
  typed?.['service'] === 'hosted' && typedKey(typed) !== '';

/**
 * Returns the connection for a request. A stored key is sent only to the address that was deployed with it, never to a typed
 * address.
 * @throws SpeechError `not-configured`, with a message for the dialog
 */
export function resolveTarget(
  RED: NodeAPI,
  connections: EditorConnections,
  { account, typed }: z.output<ReturnType<typeof target>>,
): ResolvedTarget {
  if (typed === undefined) return accountOf(RED, account);
  if (typed['service'] !== 'hosted') return connections.open(typed);
  if (typedKey(typed) !== '') return connections.open(withoutVariables(typed, ['url', 'apiKey']));
  const saved = savedAccount(RED, account);
  if (saved === undefined || !hasKey(RED, account))
    throw new SpeechError('not-configured', say('key-not-given', { field: 'apiKey' }));
  const changed = Object.entries(typed).find(
    ([name, text]) => !HARMLESS.has(name) && text.trim() !== saved(name),
  );
  if (changed !== undefined) {
    const [field] = changed;
    throw new SpeechError('not-configured', say('key-address', { field }));
  }
  const { connect } = accountOf(RED, account);
  return { connect, defaults: connections.defaultsOf(typed) };
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
  const named = fields.find((name) => ENVIRONMENT.test(typed[name] ?? ''));
  if (named === undefined) return typed;
  throw new SpeechError('not-configured', say('environment', { field: named }));
}
