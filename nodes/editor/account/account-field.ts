/** The field of a node's account, which may stay blank: then this machine speaks (decisions/0029). */

/** What Node-RED's list has for "none of these": of an account, that is this machine. */
const NONE = '_ADD_';

/** The field in the open dialog of a node. */
export function accountField(): HTMLSelectElement | HTMLInputElement | undefined {
  const field = document.getElementById('node-input-account');
  return field instanceof HTMLSelectElement || field instanceof HTMLInputElement ? field : undefined;
}

/** The identifier of the account that is chosen; blank where none is. */
export const accountIn = ({ value }: { value: string }): string => (value === NONE ? '' : value);

/** Says what a blank account means, in a list that Node-RED writes anew whenever an account is added. */
export function prepareAccountField(node: EditorNode): void {
  const field = accountField();
  if (field === undefined) return;
  const name = () => {
    for (const option of field.querySelectorAll('option')) {
      if (option.value === NONE) option.textContent = node._('account.none');
    }
  };
  $(field).on('change', name);
  name();
}

/** Gives a node that is new on the canvas the account that there is, where there is a single one: `onadd`. */
export function chooseAccount(node: EditorNode): void {
  // What is pasted has its place already, and stays as it was.
  if (node['account'] !== '' || node['x'] !== undefined) return;
  const accounts: string[] = [];
  RED.nodes.eachConfig(({ id, type, z }) => {
    if (type === 'herald-account' && (!z || z === RED.workspaces.active())) accounts.push(id);
  });
  const [only] = accounts;
  if (only !== undefined && accounts.length === 1) node['account'] = only;
}
