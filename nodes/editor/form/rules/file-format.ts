/** The agreement of the file's extension and the format of its audio. The build lists the extensions that fit each format. */
import type { RuleProblem } from './rules.js';

/** Extensions without a dot. */
export interface FileFormats {
  known: readonly string[];
  /** By format; '' without a set format. */
  fitting: Readonly<Record<string, readonly string[]>>;
  /** The format of each extension that decides it without a set format. */
  decided: Readonly<Record<string, string>>;
}

/** Returns the formats of files that the node can make. */
export const formatsOf = ({ _def: { fileFormats } }: EditorNode): FileFormats =>
  fileFormats ?? { known: [], fitting: {}, decided: {} };

/** The extension at the end of a path, after the name of the file. */
const EXTENSION = /[^/\\]\.([^./\\]+)$/;

/** Returns the extension of a path if it belongs to a format, '' otherwise. */
export function knownExtension(path: string, { known }: FileFormats): string {
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
