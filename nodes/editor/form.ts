/** Turns the rows that the build writes from a node's definition into typed inputs. */
import { nameControls } from './accessible.js';
import { textOf } from './text.js';
import { typesOf } from './types.js';

const SOURCES = ['str', 'num', 'bool', 'json', 'msg', 'flow', 'global', 'env', 'jsonata'];

/** One row: what it holds, and where. */
interface Row {
  /** The saved property. */
  property: string;
  input: HTMLInputElement;
  type: HTMLInputElement;
}

/** Prepares the form of a node: to be called as its `oneditprepare`. */
export function prepareForm(node: EditorNode): void {
  const rows = [...document.querySelectorAll<HTMLInputElement>('.herald-form input[data-types]')].map(rowOf);
  for (const row of rows) prepareRow(row, node);
  for (const row of rows) followChoice(row, rows);
  for (const fold of document.querySelectorAll<HTMLDetailsElement>('.herald-more')) {
    fold.open = rows.some((row) => fold.contains(row.input) && isSet(row, node));
  }
}

function rowOf(input: HTMLInputElement): Row {
  const type = document.getElementById(`${input.id}Type`);
  if (!(type instanceof HTMLInputElement)) throw new Error(`${input.id} has no field for its type`);
  return { property: input.id.replace('node-input-', ''), input, type };
}

function prepareRow(row: Row, node: EditorNode): void {
  const { input, type } = row;
  const usual = defaultsOf(row, node);
  // A flow that is older than a property has its default, as in the runtime.
  if (node[row.property] === undefined) input.value = usual.value;
  if (!SOURCES.includes(type.value)) type.value = usual.type;
  const offered = (input.dataset['types'] ?? '').split(' ');
  const types = offered.includes(type.value) ? offered : [...offered, type.value];
  $(input).typedInput({
    default: type.value,
    types: types.map((name) => typesOf(name, input, node)),
    typeField: type,
  });
  nameControls(input, node);
}

function defaultsOf({ property }: Row, { _def: { defaults } }: EditorNode): { value: string; type: string } {
  const text = (key: string) => textOf(defaults[key]?.value);
  return { value: text(property), type: text(`${property}Type`) };
}

function isSet(row: Row, node: EditorNode): boolean {
  const usual = defaultsOf(row, node);
  return row.input.value !== usual.value || row.type.value !== usual.type;
}

/** Hides a row that another one's choice makes void, such as a file's name where no file is written. */
function followChoice({ input }: Row, rows: readonly Row[]): void {
  const [field, value] = input.dataset['onlyFor']?.split('=') ?? [];
  const leader = rows.find((row) => row.input.dataset['field'] === field);
  const formRow = input.closest<HTMLElement>('.form-row');
  if (leader === undefined || formRow === null) return;
  const follow = () => {
    const chosen = leader.type.value === 'str' ? leader.input.value : '';
    formRow.hidden = chosen !== '' && chosen !== value;
  };
  $(leader.input).on('change', follow);
  follow();
}
