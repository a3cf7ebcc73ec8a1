/** The account field of a node. Without an account, the node uses the local service (docs/decisions/0035). */
import { textOf } from '@herald-speech/browser';
import { configNodesOf } from '../lib/config-nodes.js';
import { editorLanguage } from '../lib/languages.js';
import { type Target, targetOf } from '../lib/runtime.js';
import { languagesOf } from './models.js';

/** Value in Node-RED's list of config nodes if no node is selected. */
const NONE = '_ADD_';

/** Returns the account field of the open dialog. */
export function accountField(): HTMLSelectElement | HTMLInputElement | undefined {
  const field = document.getElementById('node-input-account');
  return field instanceof HTMLSelectElement || field instanceof HTMLInputElement ? field : undefined;
}

/**
 * Returns the account that the open dialog selects, undefined if the editor has no such account. Without a default language,
 * the account gets the language in which the editor added the node, as in the runtime.
 */
export function accountInDialog(node: EditorNode): Target | undefined {
  const field = accountField();
  const target = field && targetOf(field.value === NONE ? '' : field.value);
  const locale = textOf(node['locale']);
  if (target === undefined || locale === '' || target.typed['language']) return target;
  return { ...target, typed: { ...target.typed, language: locale } };
}

/** Labels the option "no account" with the local service, which it uses. Node-RED writes the list again after each new account. */
export function prepareAccountField(node: EditorNode): void {
  const field = accountField();
  if (field === undefined) return;
  const label = () => {
    const none = [...field.querySelectorAll('option')].find(({ value }) => value === NONE);
    if (none !== undefined) none.textContent = node._('account.none');
  };
  $(field).on('change', label);
  label();
}

/** Prepares a new node (`onadd`): saves the editor's language in a node that speaks, and selects the account. */
export function prepareNew(node: EditorNode): void {
  // A pasted or imported node already has a position.
  if (node['x'] !== undefined) return;
  const isSpoken = languagesOf(node._def.models).includes(editorLanguage());
  if (isSpoken && 'locale' in node._def.defaults) node['locale'] = editorLanguage();
  if (node['account'] === '') chooseAccount(node);
}

/** Selects the account if the flow can use exactly one. */
function chooseAccount(node: EditorNode): void {
  const accounts = configNodesOf('herald-account');
  const [only] = accounts;
  if (only !== undefined && accounts.length === 1) node['account'] = only.id;
}
