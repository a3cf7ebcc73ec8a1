import {
  abridgedText,
  issuesText,
  isSpeakable,
  lazy,
  messages,
  rule,
  speechRequest,
  type Text,
  textsOf,
  z,
} from '@herald-speech/client';
import { COMPLETED, hasTextLeft, type Markup, VOICE } from '../../lib/utterance.js';
import { say } from '../../runtime/messages.js';
import { type FileNames, readFileName } from './filename.js';
import { cellFields, type RowFields, voiceSettingsOf, tagValues } from './fields.js';
import type { RawRow } from './raw-table.js';
import { fillText } from './row-template.js';
import type { PromptRow, WrongRow } from './table.js';

const clientText = textsOf(messages);

const invalid = (field: string, value: unknown, rule: Text): Text =>
  clientText('invalid', { field, value: abridgedText(value), rule });

/** The schema of a speech request with a speakable text. Unknown voice settings must be numbers. */
const rowFields = lazy(() => {
  const { shape } = speechRequest.pick(VOICE).partial(COMPLETED);
  return z.object({
    text: z.string().refine(isSpeakable, rule(clientText('rule-text'))),
    ...shape,
    voice_settings: shape.voice_settings.unwrap().catchall(z.number()).optional(),
  });
});

/** The values of the whole table that the check of a row needs. */
export interface TableRules {
  /** The names of all columns of the table by their keys. */
  columns: ReadonlyMap<string, string>;
  files: FileNames;
  extensionOf(format: string | undefined): string;
  isFormat(name: string): boolean;
  markup: Markup;
}

/** A value and its problem. */
interface Read<Value> {
  value?: Value | undefined;
  problem?: Text | undefined;
}

/** Checks a row and fills in its text. Returns all problems of a wrong row. */
export function readRow(row: RawRow, table: TableRules): PromptRow | WrongRow {
  const { number, given } = row;
  const fields = cellFields(row.cells);
  const format = readFormat(fields, table);
  const filename = readFile(fields, format, number, table);
  const text = readText(row, fields, table);
  const request = { ...fields, text: text.value, ...voiceSettingsOf(fields) };
  const parsed = rowFields().safeParse(request);
  const problems = [text, filename, format].flatMap(({ problem }) => problem ?? []);
  problems.push(...withoutText(text.value, table), ...lostCharacters(fields));
  if (!parsed.success) problems.push(...parsed.error.issues.map((issue) => issuesText([issue], request)));
  if (!parsed.success || filename.value === undefined || problems.length > 0)
    return { number, given, filename: filename.value ?? nameIn(fields), problems };
  const { text: spoken, ...voice } = parsed.data;
  return { number, given, text: spoken, filename: filename.value, voice, format: format.value };
}

/** Returns the file name as given, '' if it is missing or not a text. */
const nameIn = ({ filename }: RowFields): string => (typeof filename === 'string' ? filename : '');

function readFormat({ format }: RowFields, { isFormat }: TableRules): Read<string> {
  if (format === undefined) return { value: undefined };
  const names = typeof format === 'string' ? [format, format.toLowerCase()] : [];
  const found = names.find((name) => isFormat(name));
  return found === undefined
    ? { problem: invalid('format', format, say('rule-format-name')) }
    : { value: found };
}

function readFile(
  { filename }: RowFields,
  format: Read<string>,
  row: number,
  { files, extensionOf }: TableRules,
): Read<string> {
  if (filename === undefined) {
    const values = { field: 'filename', rule: say('rule-name') };
    return { problem: clientText('missing', values) };
  }
  if (typeof filename !== 'string')
    return { problem: invalid('filename', filename, clientText('rule-string')) };
  const extension = format.problem === undefined ? extensionOf(format.value) : undefined;
  const { path, rule } = readFileName(filename, extension);
  if (path === undefined) return { problem: invalid('filename', filename, rule) };
  const clash = files.add(path, row);
  return { value: path, problem: clash && invalid('filename', path, clash) };
}

/** Fills in the text. Returns the text of a wrong template unchanged. */
function readText({ cells }: RawRow, { text }: RowFields, { columns }: TableRules): Read<unknown> {
  if (typeof text !== 'string' || !text.includes('{{')) return { value: text };
  const { text: filled, problem, rule } = fillText(text, { values: tagValues(cells), columns });
  return { value: filled ?? text, problem: rule === undefined ? problem : invalid('text', text, rule) };
}

/** A row of markup alone makes no file: a run checks this before it asks the service for anything. */
function withoutText(text: unknown, { markup }: TableRules): Text[] {
  if (typeof text !== 'string' || hasTextLeft({ text, markup })) return [];
  return [invalid('text', text, clientText('rule-text-left'))];
}

/** A character that a program could not read is replaced by U+FFFD. Speech would leave it out. */
function lostCharacters(fields: RowFields): Text[] {
  return Object.entries(fields)
    .filter(([, value]) => typeof value === 'string' && value.includes('\uFFFD'))
    .map(([field, value]) => invalid(field, value, say('rule-lost-character')));
}
