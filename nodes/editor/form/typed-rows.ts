/** Turns the rows of a generated form into typed inputs. */
import { hasLanguages, languagesIn, offerLanguages, prepareLanguage, toName } from './languages/language.js';
import { showProblem } from './problems.js';
import {
  checkAgain,
  createLater,
  formRowOf,
  isLiteral,
  literalOf,
  onEdit,
  PATH,
  type Row,
  type Rows,
  rowsInDialog,
  visibleOf,
  widgetOf,
} from './rows.js';
import { isWithoutEffect } from './rules/only-for.js';
import { shownOf } from './saved.js';
import { defaultsOf, isChanged } from './summary.js';
import { hasLines, toLine } from './panels/text-editor.js';
import { typesOf } from './types.js';

/** A closed fold. Most stay closed, and a typed input takes milliseconds: their rows get it when they open. */
const CLOSED = 'details:not([open])';

const SOURCES = ['str', 'num', 'bool', 'json', 'msg', 'flow', 'global', 'env', 'jsonata'];

/** Prepares the rows of the open dialog, and returns them. */
export function prepareRows(node: EditorNode): Rows {
  const rows = rowsInDialog();
  withoutPage(rows[0]?.input.form, () => rows.forEach((row) => prepareRow(row, node)));
  for (const fold of document.querySelectorAll(`.herald-form ${CLOSED}`)) createWhenOpen(fold, rows);
  for (const row of rows) showIfNeeded(row, rows, node);
  for (const row of rows) joinPath(row, rows);
  for (const row of rows) showProblem(row, node);
  return rows;
}

/**
 * Takes the form or one of its rows out of the page during `work`. In the page, each typed input makes the browser compute all
 * styles again, and Node-RED validates all rows for each of them. It validates them once more when the dialog is complete.
 */
function withoutPage(part: HTMLElement | null | undefined, work: () => void): void {
  const place = document.createComment('part');
  part?.replaceWith(place);
  try {
    work();
  } finally {
    if (part) place.replaceWith(part);
  }
}

function prepareRow(row: Row, node: EditorNode): void {
  const { input, type } = row;
  const shown = shownOf(row, node);
  // Until it has its typed input. An input of one line would lose the line breaks of a text.
  input.type = 'hidden';
  input.value = shown.value;
  type.value = [...SOURCES, PATH].includes(shown.type) ? shown.type : defaultsOf(row, node).type;
  if (hasLanguages(row)) offerLanguages(row, languagesIn(row));
  const create = () => createWidget(row, node);
  if (input.closest(CLOSED) === null) create();
  else createLater(input, () => withoutPage(formRowOf(input), create));
}

/** Creates the missing typed inputs of a closed fold when it opens. */
function createWhenOpen(fold: Element, rows: Rows): void {
  const inside = rows.filter(({ input }) => input.closest(CLOSED) === fold);
  const [first] = inside;
  if (first === undefined) return;
  const observer = new MutationObserver(() => {
    observer.disconnect();
    for (const { input } of inside) widgetOf(input);
    // Node-RED then validates all rows.
    $(first.input).trigger('change');
  });
  // The event `toggle` would come after the browser has shown the open fold.
  observer.observe(fold, { attributeFilter: ['open'] });
}

function createWidget(row: Row, node: EditorNode): void {
  const { input, type } = row;
  const { value } = input;
  input.type = 'text';
  const offered = (input.dataset['types'] ?? '').split(' ');
  const types = offered.includes(type.value) ? offered : [...offered, type.value];
  $(input).typedInput({
    default: type.value,
    types: types.map((name) => typesOf(name, row, node)),
    typeField: type,
  });
  nameControls(input, node);
  followInput(input);
  dropField(row, node);
  if (hasLines(row) && type.value === 'str') $(input).typedInput('value', toLine(value));
  if (!hasLanguages(row)) return;
  if (type.value === 'str') $(input).typedInput('value', toName(value));
  prepareLanguage(row);
}

/**
 * Reads the visible text at once. A typed input reads it after a key, and otherwise when it loses the focus: a note that then
 * appears moves the buttons below it away from the pressed mouse, and the click is lost.
 */
function followInput(input: HTMLInputElement): void {
  visibleOf(input).addEventListener('input', () => {
    input.value = $(input).typedInput('value');
    $(input).trigger('keyup');
  });
}

/** Removes the name of the default message field when the user chooses another source, and restores it with the message. */
function dropField(row: Row, node: EditorNode): void {
  const { input, type } = row;
  const { value: field, type: source } = defaultsOf(row, node);
  if (source !== 'msg') return;
  let former = type.value;
  onEdit(row, () => {
    if (type.value === former) return;
    const isLeft = former === source && input.value === field;
    const isBack = type.value === source && input.value === '';
    former = type.value;
    if (isLeft || isBack) $(input).typedInput('value', isBack ? field : '');
  });
}

/** Hides a row while another row has a value that makes it irrelevant, such as the file name without a file. */
function showIfNeeded(row: Row, rows: Rows, node: EditorNode): void {
  const needs = node._def.onlyFor?.[row.field] ?? {};
  const leaders = rows.filter(({ field }) => Object.hasOwn(needs, field));
  const place = formRowOf(row.input);
  const typed = (field: string) => literalOf(rows, field);
  const isUnset = (leader: Row) => typed(leader.field) === '' && !isChanged(leader, node);
  const isHidden = () => isWithoutEffect(needs, typed) || (leaders.some(isUnset) && !isChanged(row, node));
  place.hidden = isHidden();
  const update = () => {
    if (isHidden() === place.hidden) return;
    place.hidden = !place.hidden;
    // Only the value of a shown row has a problem.
    if (row.input.value !== '') checkAgain(row);
  };
  for (const leader of leaders) onEdit(leader, update);
}

/** Hides the row of a path that another row shows, and gives it the path that the user types there. */
function joinPath(part: Row, rows: Rows): void {
  const whole = rows.find(({ field }) => field === part.input.dataset['pathFor']);
  if (whole === undefined || !isLiteral(part)) return;
  formRowOf(part.input).hidden = true;
  onEdit(whole, () => {
    const path = whole.type.value === PATH ? whole.input.value : '';
    if (path !== part.input.value) widgetOf(part.input).typedInput('value', path);
  });
}

/** @param input the row's input, which the typed input hides */
function nameControls(input: HTMLInputElement, node: EditorNode): void {
  const label = formRowOf(input).querySelector<HTMLLabelElement>(`label[for="${input.id}"]`);
  const container = input.nextElementSibling;
  if (label === null || container === null) return;
  label.id = `${input.id}-label`;
  // The list of a flag does not name the message field, and the list of choices names no values.
  const { field = '', usual, choices, types = '' } = input.dataset;
  if (types.split(' ').includes('msg') && (usual ?? choices) !== undefined)
    label.title = choices === undefined ? `msg.${field}` : `msg.${field}: ${choices.replaceAll(' ', ', ')}`;
  const control = (selector: string) => container.querySelector<HTMLElement>(selector);
  const visible = control('.red-ui-typedInput-input');
  if (visible !== null) {
    visible.id = `${input.id}-value`;
    label.htmlFor = visible.id;
    // Notes and offers have described the row before.
    for (const name of ['aria-describedby', 'aria-invalid', 'list'])
      if (input.hasAttribute(name)) visible.setAttribute(name, input.getAttribute(name) ?? '');
  }
  addLabel(label, control('.red-ui-typedInput-type-select'), `${input.id}-type`);
  addLabel(label, control('.red-ui-typedInput-option-trigger'), `${input.id}-option`);
  nameExpand(control('.red-ui-typedInput-option-expand'), input, node);
}

/** Names the button that opens the panel of a row. It has only an icon. */
function nameExpand(expand: HTMLElement | null, { id, dataset }: HTMLInputElement, node: EditorNode): void {
  if (expand === null) return;
  expand.id = `${id}-expand`;
  expand.title = expand.ariaLabel = node._('edit', { field: node._(`fields.${dataset['field']}.label`) });
}

/** Names a control by the row's label followed by the control's text. */
function addLabel(label: HTMLElement, control: HTMLElement | null, id: string): void {
  if (control === null) return;
  control.id = id;
  control.setAttribute('aria-labelledby', `${label.id} ${id}`);
}
