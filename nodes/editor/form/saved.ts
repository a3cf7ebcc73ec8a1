/** Properties that the dialog shows in another form than flows save them. */
import { textOf } from '@herald-speech/browser';
import { hasLanguages, toCode } from './languages/language.js';
import { isNodeList, savedAsJson, saveAsArray } from './node-list.js';
import { PATH, type Row, rowsInDialog } from './rows.js';
import { defaultsOf } from './summary.js';

/** A value and its source. */
interface Shown {
  value: string;
  type: string;
}

/** The entry "From the message" in the list of a flag. */
const FROM_MESSAGE: Shown = { value: '', type: 'bool' };

/**
 * Returns the value and the source that the dialog shows for a saved property. A property that the flow lacks has its default. The
 * name of a language counts as its code.
 */
export function shownOf(row: Row, node: EditorNode): Shown {
  const defaults = defaultsOf(row, node);
  const value = savedAsJson(node[row.property] ?? defaults.value);
  const type = textOf(node[`${row.property}Type`] ?? defaults.type);
  if (isOldFlag(row, { value, type })) return FROM_MESSAGE;
  const path = typedPath(row, node);
  if (path !== '') return { value: path, type: PATH };
  return { value: hasLanguages(row) && type === 'str' ? toCode(value) : value, type };
}

/** Returns the typed path that another property has for the row, '' without one. */
function typedPath({ input: { dataset } }: Row, node: EditorNode): string {
  const { path = '' } = dataset;
  return path !== '' && (node[`${path}Type`] ?? 'str') === 'str' ? textOf(node[path]) : '';
}

/** Whether a flag was saved with the default of earlier versions, the message field of its name. It means the same as blank. */
const isOldFlag = ({ field, input }: Row, { value, type }: Shown): boolean =>
  input.dataset['usual'] !== undefined && type === 'msg' && value === field;

/** Keeps the saved form of each property that the user did not change (`oneditsave`), so that the flow stays deployed. */
export function saveForm(node: EditorNode): void {
  for (const row of rowsInDialog()) {
    const { input, type, property } = row;
    const shown = shownOf(row, node);
    if (isNodeList(row)) saveAsArray(row);
    const usual = defaultsOf(row, node);
    const { [property]: value = usual.value, [`${property}Type`]: source = usual.type } = node;
    const isUnchanged = input.value === shown.value && type.value === shown.type;
    // A path is saved in a property of its own.
    if (typeof value !== 'string' || (!isUnchanged && type.value !== PATH)) continue;
    input.value = value;
    type.value = textOf(source);
  }
}
