import type { Text } from '@herald-speech/client';
import type { PromptRow, WrongRow } from '../table/table.js';

/**
 * `new`: no file. `changed`: the row, or the file, differs from the last run. `unchanged`: the file is the one that a run made
 * for this row. `wrong`: the row cannot be made.
 */
export type PlannedState = 'new' | 'changed' | 'unchanged' | 'wrong';

export interface PlannedRow {
  row: PromptRow;
  state: PlannedState;
  /** Content hash; '' if it cannot be computed. */
  hash: string;
  /** Duration of the file in seconds: known if unchanged, estimated otherwise, 0 if wrong. */
  seconds: number;
  /** Estimated price: 0 if unchanged or wrong, undefined without a price. */
  credits: number | undefined;
  /** The reason of a changed or wrong row, and a warning about a new row that replaces a file. */
  reason: Text | undefined;
}

/** The result of comparing the table, the manifest and the folder. */
export interface PromptPlan {
  rows: readonly PlannedRow[];
  /** The wrong rows of the table. Rows that the folder makes wrong are in `rows`. */
  wrong: readonly WrongRow[];
  /** Files of the manifest without a row, which exist. Empty for a partial table. */
  gone: readonly string[];
  /** Files of the manifest without a row, which do not exist any more. `manifest.remove(lost)` forgets them. */
  lost: readonly string[];
  counts: Readonly<Record<PlannedState, number>>;
  /** Estimated seconds of the new and changed files. */
  seconds: number;
  /** Estimated credits of the new and changed files. Undefined without a price. */
  credits: number | undefined;
  isPartial: boolean;
}
