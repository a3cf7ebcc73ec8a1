import { abridgedText, type Text } from '@herald-speech/client';
import { isObject } from '../../runtime/objects.js';
import { say } from '../../runtime/messages.js';
import { type Column, columnOf, MAX_COLUMNS, sameColumns } from './columns.js';
import type { Cell } from './fields.js';
import { MAX_ROW_BYTES, type RawRow, type RawTable } from './raw-table.js';
import type { WrongRow } from './table.js';
import { takeTurns } from './turns.js';
import { unusable } from './utf8.js';

/** Rows of a batch. */
const BATCH = 100;

/** Returns the rows of an array. The first name of a column counts, rows may write it differently. */
export async function rowsOfArray(
  array: readonly unknown[],
  signal: AbortSignal | undefined,
): Promise<RawTable> {
  const byName = new Map<string, Column>();
  await takeTurns(batchesOf(array), signal, (row) => {
    if (!isRow(row)) return;
    for (const name of Object.keys(row)) if (!byName.has(name)) byName.set(name, columnOf(name));
    if (byName.size > MAX_COLUMNS) throw unusable(say('table-many-columns', { limit: MAX_COLUMNS }));
  });
  const byKey = new Map([...byName.values()].toReversed().map((column) => [column.key, column]));
  byKey.delete('');
  const columns = [...byKey.values()].toReversed();
  return { columns, batches: rowBatches(array, byName) };
}

function* rowBatches(
  array: readonly unknown[],
  columns: ReadonlyMap<string, Column>,
): Generator<(RawRow | WrongRow)[]> {
  let first = 1;
  for (const batch of batchesOf(array)) {
    const start = first;
    yield batch.map((row, index) => rowOf(row, start + index, columns));
    first += BATCH;
  }
}

function* batchesOf(array: readonly unknown[]): Generator<readonly unknown[]> {
  for (let start = 0; start < array.length; start += BATCH) yield array.slice(start, start + BATCH);
}

const isRow = (row: unknown): row is Readonly<Record<string, unknown>> =>
  isObject(row) && !Array.isArray(row);

function rowOf(row: unknown, number: number, columns: ReadonlyMap<string, Column>): RawRow | WrongRow {
  if (!isRow(row)) {
    const problem = say('row-kind', { value: abridgedText(row) });
    return { number, given: { value: row }, filename: '', problems: [problem] };
  }
  const cells = Object.entries(row).flatMap(([name, value]) => {
    const column = columns.get(name);
    return column === undefined || column.key === '' ? [] : [{ column, value }];
  });
  const problem = problemOf(cells);
  if (problem === undefined) return { number, given: row, cells };
  return { number, given: row, filename: '', problems: [problem] };
}

function problemOf(cells: readonly Cell[]): Text | undefined {
  const same = sameColumns(cells.map(({ column }) => column));
  if (same !== undefined)
    return say('row-column-twice', { first: same.first.name, second: same.second.name });
  const length = cells.reduce((sum, { value }) => sum + (typeof value === 'string' ? value.length : 0), 0);
  return length > MAX_ROW_BYTES ? say('row-bytes', { limit: MAX_ROW_BYTES }) : undefined;
}
