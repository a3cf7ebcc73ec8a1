/** The values that determine at which URL players fetch audio. */
import { textOf } from '@herald-speech/browser';
import { RuntimeError } from '../lib/runtime.js';
import { isEnvironmentVariable } from '../lib/typed-text.js';
import { accountField } from './account-field.js';
import { literalOf, type Rows } from './rows.js';
import { problemOfTyped } from './validate.js';

/** The properties of an account that determine how players reach it. */
const PLAYER_SETTINGS = ['audioPort', 'audioHost', 'audioBaseUrl'] as const;
/** Value in Node-RED's list of config nodes if no node is selected. */
const NO_ACCOUNT = '_ADD_';

/** Returns the account that the dialog selects, as edited. */
export function selectedAccount(): EditorNode | undefined {
  const id = accountField()?.value ?? '';
  return (id === NO_ACCOUNT ? undefined : RED.nodes.node(id)) ?? undefined;
}

/** Returns an account with its settings for players, as edited. */
export const playersIn = (account: EditorNode | undefined): Readonly<Record<string, string>> =>
  account === undefined
    ? {}
    : {
        account: account.id,
        ...Object.fromEntries(PLAYER_SETTINGS.map((name) => [name, textOf(account[name])])),
      };

/**
 * Returns the typed base URL of the open dialog, and the settings of its account. Only the runtime knows the value of a variable.
 * @param isNeeded whether a player fetches the audio. Without one, a malformed URL is left out
 * @throws RuntimeError `bad-request` with the problem of the base URL, which its row shows too
 */
export function typedUrl(rows: Rows, node: EditorNode, isNeeded = true): Readonly<Record<string, string>> {
  const url = literalOf(rows, 'base_url');
  const problem = problemOfTyped(node, 'base_url', url);
  if (problem !== undefined && isNeeded) throw new RuntimeError('bad-request', problem);
  const isKnown = url !== '' && problem === undefined && !isEnvironmentVariable(url);
  return { ...(isKnown && { base_url: url }), ...playersIn(selectedAccount()) };
}
