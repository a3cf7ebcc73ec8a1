import { rounded, type SpeechError } from '@herald-speech/client';
import { localize, localizeError, type Translator } from '../../runtime/localize.js';
import { say } from '../../runtime/messages.js';
import type { PromptPlan, PlannedRow } from '../files/plan.js';
import type { PromptRow, WrongRow } from '../table/table.js';
import type { MadeRow } from './rows/task.js';
import type { ReportView } from './views.js';

/** Maximum number of warnings about texts. One table often has the same markup in all rows. */
const MAX_WARNINGS = 20;

/** A row that was not made although the table is correct. */
interface FailedRow {
  row: number;
  filename: string;
  code: string;
  message: string;
}

/** The report of a run or a plan: `msg.payload` of the first output. */
export interface RunReport {
  action: 'run' | 'plan';
  /** Rows of the table. */
  rows: number;
  /** Files that the run has made. */
  made: number;
  /** Of these, files whose speech came from the cache. */
  cached: number;
  unchanged: number;
  failed: FailedRow[];
  wrong: { row: number; filename: string; problems: string[] }[];
  /** Files of the folder whose rows are gone. */
  gone: string[];
  deleted: string[];
  /** Seconds of the made files; of a plan the estimated seconds. */
  seconds: number;
  /** Seconds that the service charged. Undefined if it did not state them for a file. */
  chargedSeconds: number | undefined;
  /** The price of these seconds; of a plan the estimated price. Undefined without a price. */
  credits: number | undefined;
  /** Paths of the written indexes. */
  index: string[];
  warnings: string[];
}

/** Returns the report before the first row is made. For a plan it is complete. */
export function reportOf(translator: Translator, action: RunReport['action'], plan: PromptPlan): RunReport {
  const { rows, wrong, counts, gone, seconds, credits } = plan;
  const isPlan = action === 'plan';
  return {
    action,
    rows: rows.length + wrong.length,
    made: 0,
    cached: 0,
    unchanged: counts.unchanged,
    failed: [],
    wrong: wrongRows(plan).map(({ number, filename, problems }) => ({
      row: number,
      filename,
      problems: problems.map((problem) => localize(translator, problem)),
    })),
    gone: [...gone],
    deleted: [],
    seconds: isPlan ? rounded(seconds) : 0,
    chargedSeconds: isPlan ? undefined : 0,
    credits: credits === undefined ? undefined : isPlan ? rounded(credits) : 0,
    index: [],
    warnings: [],
  };
}

/** Notes the warnings about the text of a made file, of the first files. */
export function noteWarnings(
  { warnings }: RunReport,
  translator: Translator,
  filename: string,
  texts: MadeRow['warnings'],
): void {
  for (const warning of texts) {
    if (warnings.length > MAX_WARNINGS) return;
    const line =
      warnings.length < MAX_WARNINGS
        ? say('prompts-text-warning', { filename, warning })
        : say('prompts-more-warnings', { limit: MAX_WARNINGS });
    warnings.push(localize(translator, line));
  }
}

/** Returns all rows that cannot be made, in the order of the table: because of the table, the folder or the service. */
export function wrongRows({ wrong, rows }: PromptPlan): WrongRow[] {
  const found = rows.flatMap(({ state, reason, row }) =>
    state === 'wrong' && reason !== undefined ? [wrongRow(row, reason)] : [],
  );
  return [...wrong, ...found].sort((one, other) => one.number - other.number);
}

const wrongRow = (
  { number, given, filename }: PromptRow,
  problem: WrongRow['problems'][number],
): WrongRow => ({
  number,
  given,
  filename,
  problems: [problem],
});

/** Counts a made file. */
export function countMade(report: RunReport, made: MadeRow, creditsPerSecond: number | undefined): void {
  const { seconds, charged, cached } = made;
  report.made += 1;
  if (cached) report.cached += 1;
  report.seconds = rounded(report.seconds + seconds);
  const sum = report.chargedSeconds;
  report.chargedSeconds = sum === undefined || charged === undefined ? undefined : rounded(sum + charged);
  if (creditsPerSecond !== undefined)
    report.credits =
      report.chargedSeconds === undefined ? undefined : rounded(report.chargedSeconds * creditsPerSecond);
}

/** Notes failed rows. */
export function countFailed(
  report: RunReport,
  translator: Translator,
  rows: readonly PlannedRow[],
  error: SpeechError,
): void {
  const { code, message } = localizeError(translator, error);
  for (const { row } of rows) report.failed.push({ row: row.number, filename: row.filename, code, message });
}

/** Returns the figures of a report. */
export const viewOfReport = ({
  made,
  cached,
  unchanged,
  failed,
  wrong,
  gone,
  seconds,
  credits,
}: RunReport): ReportView => ({
  made,
  cached,
  unchanged,
  failed: failed.length,
  wrong: wrong.length,
  gone: gone.length,
  seconds,
  credits,
});
