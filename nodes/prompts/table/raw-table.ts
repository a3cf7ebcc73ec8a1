import type { Column } from './columns.js';
import type { Cell } from './fields.js';
import type { AnyRow, WrongRow } from './table.js';

/** Maximum size of a row: bytes in CSV, UTF-16 code units of a row in an array or of the values that tags insert. */
export const MAX_ROW_BYTES = 65_536;

/** A row of CSV or of an array, not yet checked. */
export interface RawRow extends AnyRow {
  cells: readonly Cell[];
}

/** The columns and the rows of an input. */
export interface RawTable {
  /** All columns in their order. The key of a column without a name is empty. */
  columns: readonly Column[];
  /** The rows in batches. To read a batch takes some milliseconds. */
  batches: Iterable<readonly (RawRow | WrongRow)[]>;
}
