/** Turns the rows that the build writes from a node's definition into typed inputs, and gives them what they need. */
import { accountField, prepareAccountField } from '../account/account-field.js';
import { nameControls } from '../accessible.js';
import { chosenIn, narrow } from './narrowing.js';
import { languagesOf, modelsIn } from './models.js';
import { preparePreview } from '../voices/preview.js';
import { showProblem } from './problems.js';
import { formRowOf, isLiteral, literalOf, onEdit, type Row, type Rows, rowsInDialog } from './rows.js';
import { textOf } from '../text.js';
import { prepareTrial } from '../playback/try-it.js';
import { typesOf } from './types.js';
import { accountInDialog, prepareVoiceField } from '../voices/voice-field.js';

const SOURCES = ['str', 'num', 'bool', 'json', 'msg', 'flow', 'global', 'env', 'jsonata'];

/** Prepares the form of a node: to be called as its `oneditprepare`. */
export function prepareForm(node: EditorNode): void {
  const rows = rowsInDialog();
  for (const row of rows) prepareRow(row, node);
  for (const row of rows) followChoice(row, rows);
  for (const fold of document.querySelectorAll<HTMLDetailsElement>('.herald-more')) {
    fold.open = rows.some((row) => fold.contains(row.input) && isSet(row, node));
  }
  for (const row of rows) showProblem(row, node);
  prepareAccountField(node);
  prepareVoices(rows, node);
  prepareTrial(rows, node);
  preparePreview(rows, node);
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
    types: types.map((name) => typesOf(name, row, node)),
    typeField: type,
  });
  nameControls(input, node);
}

/** Voices are picked from a list; the voice says which languages, styles and models there are. */
function prepareVoices(rows: Rows, node: EditorNode): void {
  const row = rows.find(({ input }) => input.dataset['voices'] !== undefined);
  if (row === undefined) return;
  const models = modelsIn(node._def['models']);
  const usual = { languages: languagesOf(models), models: Object.keys(models) };
  const look = prepareVoiceField({
    node,
    row: formRowOf(row.input),
    library: row.input.dataset['voices'] ?? 'all',
    target: accountInDialog,
    read: () => (isLiteral(row) ? row.input.value.trim() : undefined),
    write(voice_id) {
      $(row.input).typedInput('type', 'str');
      $(row.input).typedInput('value', voice_id);
    },
    chosen: () => chosenIn(rows),
    known: narrow(rows, usual, node),
  });
  onEdit(row, look);
  const account = accountField();
  if (account !== undefined) $(account).on('change', look);
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
function followChoice({ input }: Row, rows: Rows): void {
  const [field = '', values = ''] = input.dataset['onlyFor']?.split('=') ?? [];
  const leader = rows.find((row) => row.field === field);
  if (leader === undefined) return;
  const follow = () => {
    const chosen = literalOf(rows, field);
    formRowOf(input).hidden = chosen !== '' && !values.split('|').includes(chosen);
  };
  onEdit(leader, follow);
  follow();
}
