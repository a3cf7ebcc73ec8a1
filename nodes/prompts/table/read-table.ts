import { isUint8Array } from 'node:util/types';
import { abridgedText } from '@herald-speech/client';
import { say } from '../../runtime/messages.js';
import { rowsOfArray } from './array-rows.js';
import { type Column, knownFields, NAMES, listed, sameColumns } from './columns.js';
import { rowsOfCsv } from './csv-rows.js';
import { isBlankRow } from './fields.js';
import { FileNames } from './filename.js';
import type { RawTable } from './raw-table.js';
import { readRow, type TableRules } from './row.js';
import type { PromptRow, Table, WrongRow } from './table.js';
import { takeTurns } from './turns.js';
import { unusable, utf8Of } from './utf8.js';

interface TableOptions extends Pick<TableRules, 'markup'> {
  /** Returns the extension of a format without a dot, such as `wav`. Undefined means the format of the node. */
  extensionOf(format: string | undefined): string;
  isFormat(name: string): boolean;
  signal?: AbortSignal | undefined;
}

/** Maximum number of rows of a table. */
const MAX_ROWS = 100_000;

/**
 * Reads the table of prompts from an array of objects, or from CSV as a text or as a Buffer in UTF-8. A wrong row does not
 * stop the others. Blank rows do not count. The work pauses every few milliseconds for other events.
 * @throws SpeechError `bad-request` if the whole input is unusable: another type, no rows, a column `text` or `filename` that
 *   is missing, two equal columns, CSV that is not in UTF-8, more than 100,000 rows or 50 MB. Or the reason of the signal
 */
export async function readTable(input: unknown, options: TableOptions): Promise<Table> {
  const { columns: all, batches } = await rawTable(input, options.signal);
  checkColumns(all);
  const columns = all.filter(({ key }) => key !== '');
  const rules: TableRules = {
    files: new FileNames(),
    columns: new Map(columns.map(({ key, name }) => [key, name])),
    extensionOf: options.extensionOf,
    isFormat: options.isFormat,
    markup: options.markup,
  };
  const rows: PromptRow[] = [];
  const wrong: WrongRow[] = [];
  await takeTurns(batches, options.signal, (row) => {
    if ('cells' in row && isBlankRow(row.cells)) return;
    if (rows.length + wrong.length === MAX_ROWS) throw unusable(say('table-rows', { limit: MAX_ROWS }));
    const read = 'cells' in row ? readRow(row, rules) : row;
    if ('problems' in read) wrong.push(read);
    else rows.push(read);
  });
  if (rows.length + wrong.length === 0) throw unusable(say('table-empty'));
  return { rows, wrong, columns: columns.map(({ name }) => name) };
}

async function rawTable(input: unknown, signal: AbortSignal | undefined): Promise<RawTable> {
  if (typeof input === 'string' || isUint8Array(input)) return rowsOfCsv(await utf8Of(input, signal));
  if (Array.isArray(input) && input.length === 0) throw unusable(say('table-empty'));
  if (Array.isArray(input)) return rowsOfArray(input, signal);
  throw unusable(say('table-kind', { value: abridgedText(input) }));
}

/** The columns that a table needs. */
const NEEDED = ['text', 'filename'];

function checkColumns(columns: readonly Column[]): void {
  const same = sameColumns(columns);
  if (same !== undefined)
    throw unusable(say('table-column-twice', { first: same.first.number, second: same.second.number }));
  const missing = NEEDED.filter((needed) => !columns.some(({ field }) => field === needed));
  if (missing.length === 0) return;
  const found = listed(knownFields(columns));
  throw unusable(say('table-columns', { missing: missing.join(', '), names: NAMES.join(', '), found }));
}
