/** The rows of a node's form: what each holds, and how to hear of changes. */

/** One row: a typed input, and where its value comes from. */
export interface Row {
  /** The field of the request. */
  field: string;
  /** The saved property. */
  property: string;
  input: HTMLInputElement;
  type: HTMLInputElement;
}

export type Rows = readonly Row[];

const LITERAL = ['str', 'num', 'bool', 'json'];

/** The rows that the build wrote into the open dialog. */
export function rowsInDialog(): Rows {
  return [...document.querySelectorAll<HTMLInputElement>('.herald-form input[data-types]')].map(rowOf);
}

function rowOf(input: HTMLInputElement): Row {
  const type = document.getElementById(`${input.id}Type`);
  if (!(type instanceof HTMLInputElement)) throw new Error(`${input.id} has no field for its type`);
  return { field: input.dataset['field'] ?? '', property: input.id.replace('node-input-', ''), input, type };
}

/** Whether the value is the one that is typed; blank is nobody's. Any other source is known when a message comes. */
export const isLiteral = ({ input, type }: Row): boolean =>
  input.value === '' || LITERAL.includes(type.value);

/** What a field says itself; blank where it is blank, or another source's. */
export function literalOf(rows: Rows, field: string): string {
  const row = rows.find((row) => row.field === field);
  return row !== undefined && isLiteral(row) ? row.input.value.trim() : '';
}

/** Calls `heard` when a row's value or source has changed, while it is typed too. */
export function onEdit({ input }: Row, heard: () => void): void {
  $(input).on('change keyup paste', heard);
}

/** The grid row that a row's input is in. */
export function formRowOf(input: Element): HTMLElement {
  const row = input.closest<HTMLElement>('.form-row');
  if (row === null) throw new Error(`${input.id} is in no row`);
  return row;
}

/** The input that is seen: a typed input puts its own in place of the one that it was made of. */
export function visibleOf(input: HTMLInputElement): HTMLInputElement {
  const visible = document.getElementById(`${input.id}-value`);
  return visible instanceof HTMLInputElement ? visible : input;
}
