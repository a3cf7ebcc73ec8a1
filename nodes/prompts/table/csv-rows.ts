import type { Text } from '@herald-speech/client';
import { say } from '../../runtime/messages.js';
import { type Header, readHeader } from './header.js';
import type { RawRow, RawTable } from './raw-table.js';
import { type CsvRecord, readRecords } from './records.js';
import type { WrongRow } from './table.js';

/**
 * Reads the header of CSV and returns its rows.
 * @param csv UTF-8 without a byte order mark
 * @throws SpeechError `bad-request` for a header that is not valid CSV
 */
export function rowsOfCsv(csv: Buffer): RawTable {
  const header = readHeader(csv);
  return { columns: header.columns, batches: batchesOf(csv, header) };
}

function* batchesOf(csv: Buffer, header: Header): Generator<(RawRow | WrongRow)[]> {
  for (const records of readRecords(csv, header.end, header.separator))
    yield records.map((record) => rowOf(record, header));
}

/** A row may have fewer cells than the header (docs/decisions/0094-csv-parse-in-slices.md), or more blank cells. */
function rowOf(record: CsvRecord, { columns, separator }: Header): RawRow | WrongRow {
  if ('problem' in record) return wrongRow(record, record.problem);
  const { line: number, cells } = record;
  const count = cells.findLastIndex((cell) => cell !== '') + 1;
  if (count > columns.length) {
    const values = { count, expected: columns.length, separator: JSON.stringify(separator) };
    return wrongRow(record, say('row-cells', values));
  }
  const named = columns.map((column, index) => ({ column, value: cells[index] ?? '' }));
  const row = named.filter(({ column }) => column.key !== '');
  const given = Object.fromEntries(row.map(({ column, value }) => [column.name, value]));
  return { number, given, cells: row };
}

/** Returns a row whose cells are not certain. As its text is in no column, it stays wrong if it is sent back in. */
const wrongRow = ({ line: number, source }: CsvRecord, problem: Text): WrongRow => ({
  number,
  given: { line: source() },
  filename: '',
  problems: [problem],
});
