/** The rows of the file and its format, which depend on each other. */
import { type FileFormats, formatsOf, knownExtension } from './rules/file-format.js';
import { noteBelow } from './problems.js';
import {
  checkAgain,
  formRowOf,
  isLiteral,
  literalOf,
  onEdit,
  type Row,
  type Rows,
  widgetOf,
} from './rows.js';

/**
 * Keeps file and format in agreement: a chosen format changes the extension of the file, and an extension that only some formats
 * have chooses the first of them if the node has no format.
 */
export function prepareFile(rows: Rows, node: EditorNode): void {
  const [file, format] = ['filename', 'format'].map((field) => rows.find((row) => row.field === field));
  if (file === undefined || format === undefined) return;
  const formats = formatsOf(node);
  const isFile = () => literalOf(rows, 'output') === 'file';
  let former = literalOf(rows, 'format');
  // Node-RED reports a change of each field when the dialog opens.
  onEdit(format, () => {
    const chosen = literalOf(rows, 'format');
    if (chosen !== former && isFile()) fitExtension(file, chosen, formats);
    former = chosen;
  });
  formRowOf(file.input).addEventListener('change', () => isFile() && fitFormat(format, file, formats));
  showDecided(format, rows, node);
}

/** Shows the format below its row if the name of the file decides it. */
function showDecided(format: Row, rows: Rows, node: EditorNode): void {
  const formats = formatsOf(node);
  const note = noteBelow(format, 'decided');
  note.classList.remove('herald-problem');
  const show = () => {
    const extension = knownExtension(literalOf(rows, 'filename'), formats);
    const isOpen = literalOf(rows, 'output') === 'file' && format.input.value === '';
    const decided = isOpen ? formats.decided[extension] : undefined;
    note.textContent =
      decided === undefined
        ? ''
        : node._('rules.decided', { format: node._(`fields.format.choices.${decided}`), extension });
  };
  for (const row of rows) if (['filename', 'output', 'format'].includes(row.field)) onEdit(row, show);
  show();
}

function fitExtension({ input, type }: Row, format: string, formats: FileFormats): void {
  const extension = knownExtension(input.value, formats);
  const fitting = formats.fitting[format];
  if (type.value === 'str' && extension !== '' && format !== '' && fitting?.includes(extension) === false)
    widgetOf(input).typedInput('value', `${input.value.slice(0, -extension.length)}${fitting[0] ?? ''}`);
  else checkAgain({ input });
}

function fitFormat(format: Row, { input, type }: Row, formats: FileFormats): void {
  const extension = knownExtension(input.value, formats);
  if (type.value !== 'str' || extension === '' || !isLiteral(format) || format.input.value !== '') return;
  if (formats.fitting['']?.includes(extension)) return;
  const [chosen] = Object.entries(formats.fitting).find(([, [own]]) => own === extension) ?? [];
  if (chosen === undefined) return;
  widgetOf(format.input).typedInput('type', 'str');
  $(format.input).typedInput('value', chosen);
}
