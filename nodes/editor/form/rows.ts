/** The rows of a node's form: reads their values and observes edits. */

/** A typed input and the hidden field of its source. */
export interface Row {
  /** The field of the request. */
  field: string;
  /** The saved property. */
  property: string;
  input: HTMLInputElement;
  type: HTMLInputElement;
}

export type Rows = readonly Row[];

/** The source of a row whose path is saved in another property (`pathFor`). */
export const PATH = 'path';

const LITERAL = ['str', 'num', 'bool', 'json'];

/** Returns the rows of the open dialog. @throws Error if a row lacks the hidden field of its source */
export function rowsInDialog(): Rows {
  return [...document.querySelectorAll<HTMLInputElement>('.herald-form input[data-types]')].map(rowOf);
}

function rowOf(input: HTMLInputElement): Row {
  const type = document.getElementById(`${input.id}Type`);
  if (!(type instanceof HTMLInputElement))
    throw new Error(`${input.id}: missing hidden input ${input.id}Type`);
  return { field: input.dataset['field'] ?? '', property: input.id.replace('node-input-', ''), input, type };
}

/** Whether the row is blank or has a typed value. The value of any other source depends on the message. */
export const isLiteral = ({ input, type }: Row): boolean =>
  input.value === '' || LITERAL.includes(type.value);

/** Returns the typed value of a field; '' if the row is missing, blank or has another source. */
export function literalOf(rows: Rows, field: string): string {
  const row = rows.find((row) => row.field === field);
  return row !== undefined && isLiteral(row) ? row.input.value.trim() : '';
}

/** Listeners that wait for the end of the current task. */
const due = new Set<() => void>();

/**
 * Calls the listener after the row's value or source has changed, and while the user types. Several changes in one task call it
 * once: when a dialog opens, Node-RED reports a change of each row.
 */
export function onEdit({ input }: Row, listener: () => void): void {
  $(input).on('change keyup paste', () => {
    if (due.has(listener)) return;
    due.add(listener);
    queueMicrotask(() => {
      due.delete(listener);
      listener();
    });
  });
}

/** Returns the grid row of an input. @throws Error if the input is outside a row */
export function formRowOf(input: Element): HTMLElement {
  const row = input.closest<HTMLElement>('.form-row');
  if (row === null) throw new Error(`${input.id}: expected an ancestor with the class form-row`);
  return row;
}

/** The functions that create the missing typed inputs. */
const waiting = new WeakMap<HTMLInputElement, () => void>();

/** Leaves out the typed input of a row until a caller needs it. Until then, the row has only its value and its source. */
export const createLater = (input: HTMLInputElement, create: () => void): void =>
  void waiting.set(input, create);

/** Returns the typed input of a row, also in a fold that was never open. A change of the row needs it. */
export function widgetOf(input: HTMLInputElement): JQuery {
  const create = waiting.get(input);
  waiting.delete(input);
  create?.();
  return $(input);
}

/** Returns the visible input: a typed input hides the original and adds another one. */
export function visibleOf(input: HTMLInputElement): HTMLInputElement {
  return input.nextElementSibling?.querySelector<HTMLInputElement>('.red-ui-typedInput-input') ?? input;
}

/** Checks the typed value of a row again after a change of another row. */
export const checkAgain = ({ input }: Pick<Row, 'input'>): void => void $(visibleOf(input)).trigger('change');

/** Returns the labels of the given fields whose value depends on the message, separated by commas. */
export function labelsOfDynamic(rows: Rows, fields: readonly string[], node: EditorNode): string {
  const dynamic = rows.filter((row) => fields.includes(row.field) && !isLiteral(row));
  return dynamic.map(({ field }) => node._(`fields.${field}.label`)).join(', ');
}
