/** Suggested values of a row. The user may type any other value. */
import { element } from '@herald-speech/browser';
import { formRowOf, type Row, visibleOf } from '../rows.js';

/** Suggests values while the row's source is text. */
export function suggest(
  row: Row,
  values: readonly string[],
  nameOf: (value: string) => string = String,
): void {
  const list = listFor(row.input);
  list.replaceChildren(...values.map((value) => optionOf(value, nameOf(value))));
  const isTyped = row.type.value === 'str';
  const visible = visibleOf(row.input);
  if (isTyped && values.length > 0) visible.setAttribute('list', list.id);
  else visible.removeAttribute('list');
}

function listFor(input: HTMLInputElement): HTMLElement {
  const id = `${input.id}-offers`;
  const row = formRowOf(input);
  const known = row.querySelector('datalist');
  if (known !== null) return known;
  const list = element('datalist', { id });
  row.append(list);
  return list;
}

const optionOf = (value: string, label: string) =>
  element('option', { value, ...(label !== value && { label }) });
