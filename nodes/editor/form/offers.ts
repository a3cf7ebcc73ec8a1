/** Lists of what may be typed; anything else may be typed too. */
import { element } from '../dom.js';
import { formRowOf, type Row, visibleOf } from './rows.js';

/** Offers values where the row's value is typed, and nowhere else. */
export function offer(row: Row, values: readonly string[], nameOf: (value: string) => string = String): void {
  const list = listFor(row.input);
  list.replaceChildren(...values.map((value) => optionOf(value, nameOf(value))));
  const isTyped = row.type.value === 'str';
  const visible = visibleOf(row.input);
  if (isTyped && values.length > 0) visible.setAttribute('list', list.id);
  else visible.removeAttribute('list');
}

function listFor(input: HTMLInputElement): HTMLElement {
  const id = `${input.id}-offers`;
  const made = document.getElementById(id) ?? element('datalist', { id });
  if (!made.isConnected) formRowOf(input).append(made);
  return made;
}

const optionOf = (value: string, label: string) =>
  element('option', { value, ...(label !== value && { label }) });

/** A language by its code, in the editor's own language. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames([RED.i18n.lang()], { type: 'language' }).of(code) ?? code;
  } catch {
    return code; // what was typed is no code of a language
  }
}
