/** Shows the problem of a row below it, readable for screen readers as well. */
import { element } from '@herald-speech/browser';
import { showStatus } from '../lib/dom.js';
import { targetOf } from '../lib/runtime.js';
import { accountField } from './account-field.js';
import { formRowOf, onEdit, type Row, type Rows, visibleOf } from './rows.js';

/** Adds an empty note below a row and links it to the row's input as a description. */
export function noteBelow(row: Row, kind: string): HTMLElement {
  const id = `${row.input.id}-${kind}`;
  const note = element('p', { className: 'herald-note herald-problem', role: 'status', id });
  formRowOf(row.input).append(note);
  const visible = visibleOf(row.input);
  const described = visible.getAttribute('aria-describedby');
  visible.setAttribute('aria-describedby', described === null ? id : `${described} ${id}`);
  return note;
}

/** Empties a note about a problem when the user changes a value of the form: the problem may no longer be true. */
export function forgetProblem(note: HTMLElement, rows: Rows): void {
  const account = accountField();
  // The values of an account change with its own dialog.
  const values = () =>
    JSON.stringify([
      account && [account.value, targetOf(account.value)],
      ...rows.map(({ input, type }) => [type.value, input.value]),
    ]);
  let former = values();
  // A key such as Tab, and Node-RED when it opens the dialog, also report an edit.
  const forget = () => {
    if (values() === former) return;
    former = values();
    if (note.classList.contains('herald-problem')) showStatus(note, '');
  };
  for (const row of rows) onEdit(row, forget);
  if (account !== undefined) $(account).on('change', forget);
}

/** Shows the problem of a row's value while the user types: the reason for which Node-RED marks the row. */
export function showProblem(row: Row, node: EditorNode): void {
  const note = noteBelow(row, 'problem');
  const show = () => {
    const valid = node._def.defaults[row.property]?.validate?.call(node, row.input.value, {}) ?? true;
    note.textContent = valid === true ? '' : valid;
    visibleOf(row.input).ariaInvalid = valid === true ? null : 'true';
  };
  onEdit(row, show);
  show();
}
