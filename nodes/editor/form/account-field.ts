/** The account field of a node. Without an account, the node uses the local service (docs/decisions/0029). */
import { type Target, targetOf } from '../runtime.js';

/** Value in Node-RED's list of config nodes if no node is selected. */
const NONE = '_ADD_';

/** Returns the account field of the open dialog. */
export function accountField(): HTMLSelectElement | HTMLInputElement | undefined {
  const field = document.getElementById('node-input-account');
  return field instanceof HTMLSelectElement || field instanceof HTMLInputElement ? field : undefined;
}

/** Returns the account that the open dialog selects, undefined if the editor has no such account. */
export function accountInDialog(): Target | undefined {
  const field = accountField();
  return field && targetOf(field.value === NONE ? '' : field.value);
}

/** Labels the option "no account". Node-RED writes the list again after each new account. */
export function prepareAccountField(node: EditorNode): void {
  const field = accountField();
  if (field === undefined) return;
  const label = () => {
    for (const option of field.querySelectorAll('option')) {
      if (option.value === NONE) option.textContent = node._('account.none');
    }
  };
  $(field).on('change', label);
  label();
}

/** Selects the account of a new node if the flow can use exactly one (`onadd`). */
export function chooseAccount(node: EditorNode): void {
  // A pasted node already has a position and keeps its blank account.
  if (node['account'] !== '' || node['x'] !== undefined) return;
  const accounts: string[] = [];
  RED.nodes.eachConfig(({ id, type, z }) => {
    if (type === 'herald-account' && (!z || z === RED.workspaces.active())) accounts.push(id);
  });
  const [only] = accounts;
  if (only !== undefined && accounts.length === 1) node['account'] = only;
}
