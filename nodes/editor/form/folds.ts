/** The folds of a dialog: its sections and "More". A closed fold shows its settings in one line. */
import { onEdit, type Row, type Rows } from './rows.js';
import { isChanged, summaryOf } from './summary.js';

/**
 * Whether the user opened or closed a fold, by the id of its node and its name. The object of a node would be no key: after its first
 * dialog, Node-RED puts a new config node into another object.
 */
const remembered = new Map<string, Map<string, boolean>>();

/** Forgets the folds of each node that leaves the editor: the next flows may have its id. */
export function forgetWithNodes(): void {
  RED.events.on('nodes:remove', ({ id }) => remembered.delete(id));
  RED.events.on('workspace:clear', () => remembered.clear());
}

const foldsInDialog = () => document.querySelectorAll<HTMLDetailsElement>('.herald-form .herald-more');

/** Restores the state of the folds of the open dialog. Comes before its rows: a row in a closed fold needs less work. */
export function restoreFolds(node: EditorNode): void {
  for (const fold of foldsInDialog()) keepState(fold, node);
}

/** Shows the settings of the folds of the open dialog. A fold with an invalid value opens when Node-RED has validated the rows. */
export function prepareFolds(rows: Rows, node: EditorNode): void {
  for (const fold of foldsInDialog()) {
    const inside = rows.filter(({ input }) => fold.contains(input));
    showSummary(fold, inside, () => settingsIn(fold, inside, node), node);
    queueMicrotask(() => {
      if (!inside.every(isValid)) fold.open = true;
    });
  }
}

/** Restores the state of a fold in this page, and remembers the user's changes. */
export function keepState(fold: HTMLDetailsElement, node: EditorNode): void {
  const states = remembered.get(node.id) ?? new Map<string, boolean>();
  remembered.set(node.id, states);
  const name = fold.dataset['fold'] ?? '';
  fold.open = states.get(name) ?? fold.open;
  // The click changes the state after this event; the keys Enter and Space also click.
  fold.querySelector('summary')?.addEventListener('click', () => states.set(name, !fold.open));
}

/**
 * Shows the settings of a fold in its summary, and a mark if a value is invalid, and updates both while the user types.
 * @param settings returns the texts of the settings; without settings, the summary is blank
 */
function showSummary(
  fold: HTMLDetailsElement,
  rows: Rows,
  settings: () => readonly string[],
  node: EditorNode,
): void {
  const update = () => {
    writeSummary(fold, settings());
    markInvalid(fold, !rows.every(isValid), node);
  };
  for (const row of rows) onEdit(row, update);
  update();
}

/** Writes the summary of a fold. */
export function writeSummary(fold: Element, settings: readonly string[]): void {
  const place = fold.querySelector<HTMLElement>(':scope > summary > .herald-summary');
  if (place === null) return;
  place.textContent = settings.join(', ');
}

/** Shows or removes the mark of a fold that has an invalid value. Beside the heading, a long summary does not displace it. */
export function markInvalid(fold: Element, isInvalid: boolean, node: EditorNode): void {
  const summary = fold.querySelector<HTMLElement>(':scope > summary');
  summary?.querySelector('.herald-fault')?.remove();
  if (!isInvalid || summary === null) return;
  const mark = document.createElement('i');
  mark.className = 'herald-fault fa fa-exclamation-circle';
  mark.role = 'img';
  mark.ariaLabel = node._('summary.invalid');
  mark.title = mark.ariaLabel;
  summary.firstElementChild?.after(mark);
}

/** Whether the value is valid for Node-RED, which validates all rows before the listeners of an edit are called. */
const isValid = ({ input }: Row): boolean => !input.classList.contains('input-error');

/** Returns the settings of the rows that have an effect. Rows outside "More" count if they have any value. */
function settingsIn(fold: Element, rows: Rows, node: EditorNode): string[] {
  return rows
    .filter(({ input }) => !input.closest('.form-row')?.hasAttribute('hidden'))
    .filter((row) => isChanged(row, node) || (isFront(fold, row) && row.input.value !== ''))
    .map((row) => summaryOf(row, node));
}

const isFront = (fold: HTMLElement | Element, { input }: Row): boolean =>
  fold.hasAttribute('data-front') && input.closest('.herald-more') === fold;
