/** Shows the problem of a row below it, readable for screen readers as well. */
import { element } from '@herald-speech/browser';
import { showStatus } from '../lib/dom.js';
import { targetOf } from '../lib/runtime.js';
import { accountField } from './account-field.js';
import { formRowOf, isLiteral, onEdit, type Row, type Rows, visibleOf } from './rows.js';
import { problemOfTyped, validateSettings } from './validate.js';

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

/** Shows the problem of a row's value while the user types. */
export function showProblem(row: Row, node: EditorNode): void {
  const note = noteBelow(row, 'problem');
  const show = () => {
    const problem = isLiteral(row) ? problemIn(row, node) : undefined;
    note.textContent = problem ?? '';
    visibleOf(row.input).ariaInvalid = problem === undefined ? null : 'true';
  };
  onEdit(row, show);
  show();
}

function problemIn({ field, input, type }: Row, node: EditorNode): string | undefined {
  if (field !== 'voice_settings' || type.value !== 'json') return problemOfTyped(node, field, input.value);
  const valid = validateSettings(node, input.value);
  return valid === true ? undefined : valid;
}
