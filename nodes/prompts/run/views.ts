/** One row of a plan. */
export interface RowView {
  number: number;
  text: string;
  filename: string;
  state: 'new' | 'changed' | 'unchanged' | 'wrong';
  /** Known or estimated seconds of the audio. */
  seconds: number;
  /** Localized. */
  problems: string[];
  /** The request for a sample. Undefined for a wrong row. */
  request?: Readonly<Record<string, unknown>> | undefined;
}

/** A plan with at most 1,000 rows. */
export interface PlanView {
  /** Absolute path. */
  folder: string;
  /** In the order of the table. */
  rows: RowView[];
  /** Number of all rows. */
  count: number;
  counts: Record<RowView['state'], number>;
  /** Estimated seconds of the new and changed files. */
  seconds: number;
  /** Undefined if the account states no price. */
  credits?: number | undefined;
  /** At most 1,000 files of the folder whose rows are gone. */
  gone: string[];
  goneCount: number;
}

/** The figures of a finished run. */
export interface ReportView {
  made: number;
  cached: number;
  unchanged: number;
  failed: number;
  wrong: number;
  gone: number;
  seconds: number;
  credits?: number | undefined;
}

/** The current run of a node, or its last one. */
export interface RunView {
  phase: 'idle' | 'running' | 'paused';
  /** Rows that are finished, of the `count` rows to make. */
  done: number;
  count: number;
  /** Estimated. Undefined before the first file is made. */
  secondsLeft?: number | undefined;
  made: number;
  cached: number;
  failed: number;
  /** The figures of the last run, if it has ended. */
  report?: ReportView | undefined;
  /** Localized reason of the failure of the last run. */
  error?: string | undefined;
}
