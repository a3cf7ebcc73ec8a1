import { lazy, type Text } from '@herald-speech/client';
import type * as CsvParse from 'csv-parse/sync';
import { say } from '../../runtime/messages.js';
import { MAX_ROW_BYTES } from './raw-table.js';

/** A flow without a table needs no parser. */
const csvParse = lazy((): typeof CsvParse => require('csv-parse/sync'));

/** A place in the bytes of CSV. Lines count from 1. */
export interface CsvPosition {
  offset: number;
  line: number;
}

/** A record of CSV with the line in which it starts: its cells, or the problem of a record that is not valid CSV. */
export type CsvRecord = {
  line: number;
  /** Returns the record as written, at most 1000 bytes of it. */
  source(): string;
} & ({ cells: readonly string[] } | { problem: Text });

/** Bytes that are parsed at a time. A record must fit into a slice. */
export const SLICE_BYTES = MAX_ROW_BYTES;
/** Milliseconds after which the parser pauses. */
const TURN_MS = 10;
const MAX_SOURCE_BYTES = 1000;
const [TAB, LF, CR, BLANK, QUOTE] = [9, 10, 13, 32, 34];

/** A parsed record, and the offset after its line ending. */
interface Found {
  cells: string[];
  end: number;
}

/**
 * Parses CSV in turns of some milliseconds, so that the caller can do other work between them. After a record that is not
 * valid CSV, such as a quote that is not closed, it continues with the next line.
 */
export function* readRecords(bytes: Buffer, start: CsvPosition, separator: string): Generator<CsvRecord[]> {
  let place = start;
  while (place.offset < bytes.length) {
    const first = nextRecord(bytes, place, separator);
    const isBlank = first.offset - place.offset >= SLICE_BYTES || first.offset === bytes.length;
    const { records, end, broken } = isBlank
      ? { records: [], end: first }
      : readTurn(bytes, first, separator);
    if (broken !== undefined) {
      const after = yield* endOfBroken(bytes, end, broken, separator);
      records.push(brokenRecord(bytes, end, after, broken));
      place = after;
    } else place = end;
    yield records;
  }
}

/**
 * The reason of a record that is not valid CSV: `open` for a quote that is not closed within the slice, `quote` for another wrong
 * quote, `long` for a record without an end.
 */
type Broken = 'open' | 'quote' | 'long';

/** Parses one turn. `broken` tells that the record at `end` is not valid CSV. */
function readTurn(
  bytes: Buffer,
  start: CsvPosition,
  separator: string,
): { records: CsvRecord[]; end: CsvPosition; broken?: Broken } {
  const slice = bytes.subarray(start.offset, start.offset + SLICE_BYTES);
  const isLast = start.offset + slice.length === bytes.length;
  const { found, error } = parseSlice(slice, separator);
  // The slice can end within its last record.
  const complete = isLast ? found : found.filter(({ end }) => end < slice.length);
  const { records, end } = locate(bytes, start, complete, separator);
  // The rest of the table has only blank lines.
  if (isLast && error === undefined && found.length === 0)
    return { records, end: { ...end, offset: bytes.length } };
  const isBroken = error !== undefined && (isLast || error !== 'CSV_QUOTE_NOT_CLOSED');
  if (!isBroken && complete.length > 0) return { records, end };
  const broken = error === undefined ? 'long' : error === 'CSV_QUOTE_NOT_CLOSED' ? 'open' : 'quote';
  return { records, end: nextRecord(bytes, end, separator), broken };
}

/** Returns the place after a record that is not valid CSV: after its long cell in quotes, otherwise the next line. */
function* endOfBroken(
  bytes: Buffer,
  start: CsvPosition,
  broken: Broken,
  separator: string,
): Generator<CsvRecord[], CsvPosition> {
  const end = broken === 'open' ? yield* endOfQuoted(bytes, start.offset, separator) : undefined;
  if (end === undefined) return endOfLine(bytes, start);
  let place = start;
  while (place.offset < end) {
    place = advance(bytes, place, Math.min(end, place.offset + SLICE_BYTES));
    yield [];
  }
  return place;
}

/** Quotes that are read in one turn. */
const QUOTES = 10_000;

/**
 * Returns the end of a record with cells in quotes that are longer than a slice. Undefined if a quote is missing: text follows a
 * closing quote, or the last quote is not closed.
 */
function* endOfQuoted(
  bytes: Buffer,
  start: number,
  separator: string,
): Generator<CsvRecord[], number | undefined> {
  let isInside = false;
  let count = 0;
  for (let quote = bytes.indexOf(QUOTE, start); quote >= 0;) {
    const next = bytes.indexOf(QUOTE, quote + 1);
    isInside = !isInside;
    if (!isInside && next !== quote + 1) {
      const after = bytes[quote + 1];
      if (after !== undefined && after !== separator.charCodeAt(0) && !isSpace(after)) return undefined;
      const end = endOfLine(bytes, { offset: quote, line: 0 }).offset;
      if (next < 0 || end <= next) return end;
    }
    quote = next;
    count += 1;
    if (count % QUOTES === 0) yield [];
  }
  return undefined;
}

const isSpace = (byte: number): boolean => byte === LF || byte === CR || byte === BLANK || byte === TAB;

function brokenRecord(bytes: Buffer, start: CsvPosition, end: CsvPosition, broken: Broken): CsvRecord {
  const isLong = broken === 'long' || end.offset - start.offset > MAX_ROW_BYTES;
  const problem = isLong ? say('row-bytes', { limit: MAX_ROW_BYTES }) : say('row-quotes');
  return { line: start.line, problem, source: sourceOf(bytes, start, end) };
}

/** Stops the parser. */
class Pause extends Error {}

/** Parses a slice until its end, an error, or the end of the turn. */
export function parseSlice(
  slice: Buffer,
  separator: string,
  most = Infinity,
): { found: Found[]; error?: string } {
  const found: Found[] = [];
  const end = performance.now() + TURN_MS;
  const collect = (cells: string[], { bytes }: { bytes: number }) => {
    found.push({ cells, end: bytes });
    if (found.length >= most || performance.now() > end) throw new Pause();
    return undefined;
  };
  try {
    csvParse().parse(slice, { ...OPTIONS, delimiter: separator, on_record: collect });
    return { found };
  } catch (error) {
    if (error instanceof Pause) return { found };
    if (error instanceof Error && 'code' in error) return { found, error: String(error.code) };
    throw error;
  }
}

const OPTIONS = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
  trim: true,
};

/** Adds the line and the source to each record. */
function locate(
  bytes: Buffer,
  start: CsvPosition,
  found: readonly Found[],
  separator: string,
): { records: CsvRecord[]; end: CsvPosition } {
  let place = start;
  const records = found.map(({ cells, end }): CsvRecord => {
    const first = nextRecord(bytes, place, separator);
    place = advance(bytes, first, start.offset + end);
    return { line: first.line, cells, source: sourceOf(bytes, first, place) };
  });
  return { records, end: place };
}

const sourceOf =
  (bytes: Buffer, { offset }: CsvPosition, end: CsvPosition) =>
  (): string =>
    bytes.toString('utf8', offset, Math.min(end.offset, offset + MAX_SOURCE_BYTES)).trim();

/** Returns the place after a number of bytes. */
function advance(bytes: Buffer, { offset, line }: CsvPosition, end: number): CsvPosition {
  let lines = line;
  for (let index = offset; index < end; index += 1) if (endsLine(bytes, index)) lines += 1;
  return { offset: end, line: lines };
}

/** Whether a line ends at a byte: LF, or CR without LF. */
const endsLine = (bytes: Buffer, index: number): boolean =>
  bytes[index] === LF || (bytes[index] === CR && bytes[index + 1] !== LF);

/** Skips blank lines, as the parser does, but at most `SLICE_BYTES` bytes. */
export function nextRecord(bytes: Buffer, { offset, line }: CsvPosition, separator: string): CsvPosition {
  const end = Math.min(offset + SLICE_BYTES, bytes.length);
  const next = { offset, line };
  for (let index = offset; index < end; index += 1) {
    if (!isBlank(bytes[index], separator)) return next;
    if (!endsLine(bytes, index)) continue;
    next.offset = index + 1;
    next.line += 1;
  }
  return { offset: end, line: next.line };
}

const isBlank = (byte: number | undefined, separator: string): boolean =>
  byte === LF || byte === CR || byte === BLANK || (byte === TAB && separator !== '\t');

/** Returns the start of the next line. */
function endOfLine(bytes: Buffer, { offset, line }: CsvPosition): CsvPosition {
  const lf = bytes.indexOf(LF, offset);
  const end = lf < 0 ? bytes.length : lf + 1;
  // A search for CR in the whole rest would take quadratic time.
  const cr = bytes.subarray(offset, end).indexOf(CR);
  const isAlone = cr >= 0 && offset + cr + 2 !== end;
  return { offset: isAlone ? offset + cr + 1 : end, line: line + 1 };
}
