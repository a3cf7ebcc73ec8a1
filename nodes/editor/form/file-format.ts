/** The agreement of the file's extension and the format of its audio. The build lists the extensions that fit each format. */
import { isLiteral, literalOf, onEdit, type Row, type Rows, visibleOf } from './rows.js';
import type { RuleProblem } from './rules.js';

/** Extensions without a dot. */
export interface FileFormats {
  known: readonly string[];
  /** By format; '' without a set format. */
  fitting: Readonly<Record<string, readonly string[]>>;
}

const formatsOf = ({ _def: { fileFormats } }: EditorNode): FileFormats =>
  fileFormats ?? { known: [], fitting: {} };

/** The extension at the end of a path, after the name of the file. */
const EXTENSION = /[^/\\]\.([^./\\]+)$/;

/** Returns the extension of a path if it belongs to a format, '' otherwise. */
function knownExtension(path: string, { known }: FileFormats): string {
  const extension = EXTENSION.exec(path)?.[1]?.toLowerCase() ?? '';
  return known.includes(extension) ? extension : '';
}

/**
 * Returns the problem of a file whose extension belongs to another format, as the node does.
 * @param format '' if it depends on the message, or if the extension decides
 */
export function extensionProblem(path: string, format: string, node: EditorNode): RuleProblem | undefined {
  const formats = formatsOf(node);
  const extension = knownExtension(path, formats);
  if (extension === '') return undefined;
  const lists = Object.values(formats.fitting);
  if (!lists.some((list) => list.includes(extension)))
    return { key: 'rules.no-format', values: { extension } };
  const fitting = formats.fitting[format];
  if (format === '' || fitting === undefined || fitting.includes(extension)) return undefined;
  const values = { extension, right: fitting[0], format: node._(`fields.format.choices.${format}`) };
  return { key: 'rules.extension', values };
}

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
  visibleOf(file.input).addEventListener('change', () => isFile() && fitFormat(format, file, formats));
  const output = rows.find(({ field }) => field === 'output');
  if (output !== undefined) onEdit(output, () => checkAgain(file));
}

function fitExtension({ input, type }: Row, format: string, formats: FileFormats): void {
  const extension = knownExtension(input.value, formats);
  const fitting = formats.fitting[format];
  if (type.value === 'str' && extension !== '' && format !== '' && fitting?.includes(extension) === false)
    $(input).typedInput('value', `${input.value.slice(0, -extension.length)}${fitting[0] ?? ''}`);
  else checkAgain({ input });
}

/** Checks the typed file again after a change of another field. */
const checkAgain = ({ input }: Pick<Row, 'input'>): void => void $(visibleOf(input)).trigger('change');

function fitFormat(format: Row, { input, type }: Row, formats: FileFormats): void {
  const extension = knownExtension(input.value, formats);
  if (type.value !== 'str' || extension === '' || !isLiteral(format) || format.input.value !== '') return;
  if (formats.fitting['']?.includes(extension)) return;
  const [chosen] = Object.entries(formats.fitting).find(([, [own]]) => own === extension) ?? [];
  if (chosen === undefined) return;
  $(format.input).typedInput('type', 'str');
  $(format.input).typedInput('value', chosen);
}
