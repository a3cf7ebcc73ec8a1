/** The note below the account of a node: the account is invalid, or its service lacks the work of the node. */
import { element, textOf } from '@herald-speech/browser';
import { sentence } from '../lib/runtime.js';
import { serviceFacts } from '../lib/services.js';
import { accountField, accountInDialog } from './account-field.js';

/** The text about a service without an operation. */
const TEXTS: Readonly<Record<string, string>> = {
  createClonedVoice: 'account.lacks.custom',
  listCustomVoices: 'account.lacks.custom',
  getCredits: 'account.lacks.credits',
  getUsage: 'account.lacks.usage',
};

/** The parts of a form that only work with the needed operation: the remark about the local service, and "Clone now". */
const PARTS = '.herald-form > .herald-note[data-i18n$="note"], .herald-form > .herald-clone';

/**
 * Shows a note below the account if the account is invalid, or if its service lacks the operation that the node needs. Hides the parts of
 * the form that need this operation.
 */
export function showAccountProblem(node: EditorNode): void {
  const { needs: needed = '' } = node._def;
  const key = TEXTS[needed];
  const field = accountField();
  const row = field?.closest('.form-row');
  if (field === undefined || !row) return;
  const note = element('p', {
    className: 'herald-note herald-problem',
    role: 'status',
    id: 'herald-account-problem',
  });
  row.append(note);
  field.setAttribute('aria-describedby', note.id);
  const show = () => {
    const invalid = invalidText(RED.nodes.node(field.value), node);
    field.ariaInvalid = invalid === '' ? null : 'true';
    const { has } = serviceFacts(accountInDialog(node)?.typed['service']);
    const isLacking = key !== undefined && !has(needed);
    note.textContent = invalid === '' && isLacking ? node._(key) : invalid;
    if (key === undefined) return;
    for (const part of document.querySelectorAll<HTMLElement>(PARTS)) part.hidden = isLacking;
  };
  $(field).on('change', show);
  show();
}

/** Returns the reasons why Node-RED marks an account as invalid; '' for a valid one. A property without a reason has its label. */
function invalidText(account: EditorNode | null | undefined, node: EditorNode): string {
  if (account?.['valid'] !== false) return '';
  const errors = Array.isArray(account['validationErrors']) ? account['validationErrors'].map(textOf) : [];
  const reasons = errors.map((error) =>
    sentence(error in account._def.defaults ? account._(`${error}.label`) : error),
  );
  return [node._('account.invalid'), ...reasons].join(' ');
}
