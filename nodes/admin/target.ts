import { SpeechError, z } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { type AccountNode, accountOf } from '../account/account-node.js';
import type { TypedAccount, Ways } from './ways.js';

/** Characters of one value that the editor sends. */
const MAX_VALUE_LENGTH = 2000;

const value = z.string().max(MAX_VALUE_LENGTH);

/** Which account a request of the editor is about: the deployed one, or its values as they are in the dialog. */
export const targetFields = {
  account: value.optional(),
  typed: z.record(z.string().max(100), value).optional(),
};

const target = z.object(targetFields);

/** The way to one account's service. */
export type Reach = Pick<AccountNode, 'connect' | 'defaults'>;

/** What the editor shows in place of a password that is stored. */
const STORED = '__PWRD__';
/** What does not decide where a key goes. */
const HARMLESS = new Set(['version', 'name', 'apiKey', 'requestsPerMinute', 'voice_id', 'language']);
const ENVIRONMENT = /^\$\{[^}]+\}$/;

/** Whether a request goes to an address that no deploy has approved: that needs the right to write. */
export const isNewAddress = ({ typed }: z.output<typeof target>): boolean =>
  typed?.['service'] === 'hosted' && typedKey(typed) !== '';

/**
 * The way to the service of an account. A stored key goes where it was deployed to and nowhere else: with it the way is
 * always that of the deployed account, never one that was typed.
 * @throws SpeechError `not-configured`, in words for the editor
 */
export function reachOf(RED: NodeAPI, ways: Ways, { account, typed }: z.output<typeof target>): Reach {
  if (typed === undefined) return accountOf(RED, account);
  if (typed['service'] !== 'hosted') return ways.open(typed);
  if (typedKey(typed) !== '') return ways.open(withoutEnvironment(typed));
  const saved = savedAccount(RED, account);
  if (saved === undefined || !hasKey(RED, account))
    throw new SpeechError('not-configured', 'the API key is missing');
  const changed = Object.entries(typed).filter(
    ([name, text]) => !HARMLESS.has(name) && text.trim() !== saved(name),
  );
  if (changed.length > 0) {
    const names = changed.map(([name]) => name).join(', ');
    throw new SpeechError(
      'not-configured',
      `the stored key goes to the saved address alone, and ${names} changed: type the key again, or deploy first`,
    );
  }
  const { connect } = accountOf(RED, account);
  return { connect, defaults: ways.defaultsOf(typed) };
}

function hasKey(RED: NodeAPI, id: string | undefined): boolean {
  const stored: unknown = id === undefined ? undefined : RED.nodes.getCredentials(id);
  return typeof stored === 'object' && stored !== null && 'apiKey' in stored && Boolean(stored.apiKey);
}

function typedKey({ apiKey = '' }: TypedAccount): string {
  return apiKey === STORED ? '' : apiKey;
}

/** A value of the account as it is saved in the flow; undefined when there is no such account. */
function savedAccount(RED: NodeAPI, id: string | undefined): ((name: string) => string) | undefined {
  let found: object | undefined;
  RED.nodes.eachNode((node) => {
    if (node.id === id && node.type === 'herald-account') found = node;
  });
  if (found === undefined) return undefined;
  const values = new Map<string, unknown>(Object.entries(found));
  return (name) => {
    const saved = values.get(name);
    if (name === 'service' && saved === undefined) return 'hosted'; // older than the choice: the runtime decides
    return typeof saved === 'string' ? saved.trim() : '';
  };
}

/** Environment variables are the runtime's: what they hold is not handed to an address that was just typed. */
function withoutEnvironment(typed: TypedAccount): TypedAccount {
  const named = ['url', 'apiKey'].find((name) => ENVIRONMENT.test(typed[name] ?? ''));
  if (named === undefined) return typed;
  throw new SpeechError(
    'not-configured',
    `${named} is an environment variable: it is read when the flow is deployed, so deploy first`,
  );
}
