/** Turns the rows of a generated form into typed inputs and adds its voice picker and panels. */
import { nameControls } from './accessible.js';
import { accountField, accountInDialog, prepareAccountField } from './account-field.js';
import { prepareCloneNow } from '../clone/clone-now.js';
import { prepareFolds } from './folds.js';
import { languagesOf, modelsIn } from './models.js';
import { chosenIn, fitLanguage, narrow } from './narrowing.js';
import { showNoEffect } from './no-effect.js';
import { preparePreview } from './preview.js';
import { showProblem } from './problems.js';
import {
  formRowOf,
  isLiteral,
  literalOf,
  onEdit,
  type Row,
  type Rows,
  rowsInDialog,
  visibleOf,
} from './rows.js';
import { defaultsOf } from './summary.js';
import { hasLines, toLine } from './text-editor.js';
import { preparePrompts } from '../prompts/prompts-panel.js';
import { prepareReach } from '../reach/reach-panel.js';
import { prepareTryIt } from '../trial/try-it.js';
import { typesOf } from './types.js';
import type { Voice } from '../voices/voice.js';
import { prepareVoiceField } from '../voices/voice-field.js';

const SOURCES = ['str', 'num', 'bool', 'json', 'msg', 'flow', 'global', 'env', 'jsonata'];

/** Prepares the form of a node when Node-RED opens its dialog (`oneditprepare`). */
export function prepareForm(node: EditorNode): void {
  const rows = rowsInDialog();
  withoutLayout(() => rows.forEach((row) => prepareRow(row, node)));
  for (const row of rows) showIfNeeded(row, rows);
  for (const row of rows) showProblem(row, node);
  showNoEffect(rows, node);
  prepareFolds(rows, node);
  prepareAccountField(node);
  prepareVoices(rows, node, prepareTryIt(rows, node));
  preparePreview(rows, node);
  prepareCloneNow(rows, node);
  preparePrompts(rows, node);
  prepareReach(rows, node);
}

/** Hides the form during `work`: a typed input reads styles of its element, and in a visible form each makes a layout of the page. */
function withoutLayout(work: () => void): void {
  const form = document.querySelector<HTMLElement>('#dialog-form');
  if (form) form.style.display = 'none';
  work();
  if (form) form.style.display = '';
}

function prepareRow(row: Row, node: EditorNode): void {
  const { input, type } = row;
  const defaults = defaultsOf(row, node);
  // A flow saved before the node had this property gets the default, as in the runtime.
  if (node[row.property] === undefined) input.value = defaults.value;
  if (!SOURCES.includes(type.value)) type.value = defaults.type;
  const offered = (input.dataset['types'] ?? '').split(' ');
  const types = offered.includes(type.value) ? offered : [...offered, type.value];
  $(input).typedInput({
    default: type.value,
    types: types.map((name) => typesOf(name, row, node)),
    typeField: type,
  });
  nameControls(input, node);
  followInput(input);
  // Node-RED has put the saved text into an input of one line.
  const saved = node[row.property];
  if (hasLines(row) && type.value === 'str' && typeof saved === 'string')
    $(input).typedInput('value', toLine(saved));
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

/**
 * Adds the voice picker to its row. The selected voice limits the offered languages, styles and models.
 * @param showVoice receives the voice after each lookup
 */
function prepareVoices(rows: Rows, node: EditorNode, showVoice: (voice: Voice | undefined) => void): void {
  const row = rows.find(({ input }) => input.dataset['voices'] !== undefined);
  if (row === undefined) return;
  const models = modelsIn(node._def['models']);
  const narrowTo = narrow(rows, { languages: languagesOf(models), models: Object.keys(models) }, node);
  const refresh = prepareVoiceField({
    node,
    row: formRowOf(row.input),
    library: row.input.dataset['voices'] ?? 'all',
    target: () => accountInDialog(node),
    read: () => (isLiteral(row) ? row.input.value.trim() : undefined),
    write(voice) {
      $(row.input).typedInput('type', 'str');
      $(row.input).typedInput('value', voice.voice_id);
      fitLanguage(rows, voice, accountInDialog(node)?.typed['language'] ?? '');
    },
    chosen: () => chosenIn(rows),
    onVoice(voice) {
      narrowTo(voice);
      showVoice(voice);
    },
  });
  for (const each of rows) if (each === row || each.field === 'language') onEdit(each, refresh);
  const account = accountField();
  if (account !== undefined) $(account).on('change', refresh);
}

/** Hides a row while another row has a value that makes it irrelevant, such as the file name without a file. */
function showIfNeeded({ input }: Row, rows: Rows): void {
  const conditions = (input.dataset['onlyFor'] ?? '').split(' ').map((condition) => condition.split('='));
  const update = () => {
    formRowOf(input).hidden = conditions.some(([field = '', values = '']) => {
      const value = literalOf(rows, field);
      return value !== '' && !values.split('|').includes(value);
    });
  };
  for (const [field] of conditions) {
    const leader = rows.find((row) => row.field === field);
    if (leader !== undefined) onEdit(leader, update);
  }
  update();
}
