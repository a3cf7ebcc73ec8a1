import { say } from '../../runtime/messages.js';
import { type Column, columnOf, MAX_COLUMNS } from './columns.js';
import { nextRecord, parseSlice, type CsvPosition, SLICE_BYTES } from './records.js';
import { unusable } from './utf8.js';

/** The first record of CSV. */
export interface Header {
  columns: readonly Column[];
  separator: string;
  /** The place after the header. */
  end: CsvPosition;
}

const SEPARATORS = [',', ';', '\t'];
/** The line with which Excel names the separator. */
const SEPARATOR_LINE = /^"?sep=([!#-/:-@[-^`{-~\t])"?[\t ]*(?:\r\n|\n|\r|$)/i;

/**
 * Reads the names of the columns and finds the separator: the one of a line `sep=;`, or the one that gives the columns
 * `text` and `filename`, or the most frequent one outside quotes.
 * @throws SpeechError `bad-request` if the header has an unclosed quote
 */
export function readHeader(bytes: Buffer): Header {
  const [line = '', named] = SEPARATOR_LINE.exec(bytes.toString('latin1', 0, 16)) ?? [];
  const start = { offset: line.length, line: line === '' ? 1 : 2 };
  const separators = named === undefined ? SEPARATORS : [named];
  const headers = separators.flatMap((separator) => headerWith(bytes, start, separator) ?? []);
  const [best] = headers.toSorted((first, second) => second.rank - first.rank);
  if (best === undefined) {
    throw unusable(say('table-header', { line: nextRecord(bytes, start, ',').line }));
  }
  return best;
}

/** Reads the header with a separator. Returns undefined if its quotes do not fit this separator. */
function headerWith(
  bytes: Buffer,
  start: CsvPosition,
  separator: string,
): (Header & { rank: number }) | undefined {
  const { offset, line } = nextRecord(bytes, start, separator);
  const slice = bytes.subarray(offset, offset + SLICE_BYTES);
  const { found, error } = parseSlice(slice, separator, 1);
  const [record] = found;
  if (record === undefined)
    return error === undefined ? { ...EMPTY, separator, end: start, rank: 0 } : undefined;
  const columns = columnsOf(record.cells);
  const end = { offset: offset + record.end, line: line + linesIn(slice.subarray(0, record.end)) };
  return { columns, separator, end, rank: rankOf(columns) };
}

const EMPTY = { columns: [] };

/** Returns the columns without the blank cells at the end of the header. */
function columnsOf(cells: readonly string[]): Column[] {
  const count = cells.findLastIndex((cell) => cell !== '') + 1;
  if (count > MAX_COLUMNS) throw unusable(say('table-many-columns', { limit: MAX_COLUMNS }));
  return cells.slice(0, count).map(columnOf);
}

const linesIn = (bytes: Buffer): number => bytes.toString().split(/\r\n|\n|\r/).length - 1;

/** Ranks a header first by its needed columns, then by its number of columns. */
const rankOf = (columns: readonly Column[]): number =>
  columns.length +
  2 * MAX_COLUMNS * columns.filter(({ field }) => field === 'text' || field === 'filename').length;
