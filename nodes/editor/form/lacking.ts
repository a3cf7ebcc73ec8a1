/** Marks an account whose service lacks the work of a node. */
import { element } from '@herald-speech/browser';
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

/** Shows a note below the account if its service lacks the operation that the node needs, and hides the parts of the form that need it. */
export function showLacking(node: EditorNode): void {
  const { needs: needed = '' } = node._def;
  const key = TEXTS[needed];
  const field = accountField();
  const row = field?.closest('.form-row');
  if (key === undefined || field === undefined || !row) return;
  const note = element('p', {
    className: 'herald-note herald-problem',
    role: 'status',
    id: 'herald-account-lacks',
  });
  row.append(note);
  field.setAttribute('aria-describedby', note.id);
  const show = () => {
    const { has } = serviceFacts(accountInDialog(node)?.typed['service']);
    note.textContent = has(needed) ? '' : node._(key);
    for (const part of document.querySelectorAll<HTMLElement>(PARTS)) part.hidden = !has(needed);
  };
  $(field).on('change', show);
  show();
}
