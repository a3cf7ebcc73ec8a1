import { localize, type Translator } from '../../runtime/localize.js';
import type { PlannedRow } from '../files/plan.js';
import type { WrongRow } from '../table/table.js';
import type { PlannedTable } from './plan-prompts.js';
import type { RunSettings } from './settings.js';
import type { PlanView, RowView } from './views.js';

/** Maximum number of rows, and of gone files, that the dialog shows. */
const MAX_ROWS = 1000;
/** UTF-16 code units of texts after which the list ends, because the dialog gets it as one reply. */
const MAX_LENGTH = 2_000_000;
/** UTF-16 code units of the text and of the file name of a wrong row, which can have megabytes. */
const MAX_WRONG_LENGTH = 1000;

/** Returns a plan for the dialog. */
export function viewOfPlan(translator: Translator, settings: RunSettings, { plan }: PlannedTable): PlanView {
  const { rows, wrong, counts, seconds, credits, gone } = plan;
  const views: { number: number; view(): RowView }[] = [
    ...rows.map((planned) => ({
      number: planned.row.number,
      view: () => viewOfRow(translator, settings, planned),
    })),
    ...wrong.map((row) => ({ number: row.number, view: () => viewOfWrong(translator, row) })),
  ];
  views.sort((one, other) => one.number - other.number);
  return {
    folder: settings.folder,
    rows: firstOf(views.map(({ view }) => view)),
    count: views.length,
    counts: { ...counts },
    seconds,
    credits,
    gone: gone.slice(0, MAX_ROWS),
    goneCount: gone.length,
  };
}

/** Returns the first rows, as many as one reply can have. */
function firstOf(views: readonly (() => RowView)[]): RowView[] {
  const rows: RowView[] = [];
  let length = 0;
  for (const view of views.slice(0, MAX_ROWS)) {
    const row = view();
    length += row.text.length + row.filename.length;
    if (length > MAX_LENGTH && rows.length > 0) break;
    rows.push(row);
  }
  return rows;
}

function viewOfRow(translator: Translator, settings: RunSettings, planned: PlannedRow): RowView {
  const { row, state, seconds, reason } = planned;
  const { number, text, filename } = row;
  const problems = reason === undefined ? [] : [localize(translator, reason)];
  const view = { number, text, filename, state, seconds, problems };
  if (state === 'wrong') return view;
  const { request } = settings.taskOf(row);
  return { ...view, request: { ...request, format: row.format } };
}

const viewOfWrong = (translator: Translator, { number, given, filename, problems }: WrongRow): RowView => ({
  number,
  text: typeof given['text'] === 'string' ? given['text'].slice(0, MAX_WRONG_LENGTH) : '',
  filename: filename.slice(0, MAX_WRONG_LENGTH),
  state: 'wrong',
  seconds: 0,
  problems: problems.map((problem) => localize(translator, problem)),
});
