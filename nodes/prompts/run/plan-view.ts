import { localize, type Translator } from '../../runtime/localize.js';
import type { PlannedRow } from '../files/plan.js';
import type { WrongRow } from '../table/table.js';
import type { PlannedTable } from './plan-prompts.js';
import type { RunSettings } from './settings.js';
import type { PlanView, RowView } from './views.js';

/** Most rows, and most gone files, that the dialog shows. */
const MAX_ROWS = 1000;

/** Returns a plan for the dialog. */
export function viewOfPlan(translator: Translator, settings: RunSettings, { plan }: PlannedTable): PlanView {
  const { rows, wrong, counts, seconds, credits, gone } = plan;
  const views = [
    ...rows.map((planned) => viewOfRow(translator, settings, planned)),
    ...wrong.map((row) => viewOfWrong(translator, row)),
  ];
  return {
    folder: settings.folder,
    rows: views.sort((one, other) => one.number - other.number).slice(0, MAX_ROWS),
    count: views.length,
    counts: { ...counts },
    seconds,
    credits,
    gone: gone.slice(0, MAX_ROWS),
    goneCount: gone.length,
  };
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
  text: typeof given['text'] === 'string' ? given['text'] : '',
  filename,
  state: 'wrong',
  seconds: 0,
  problems: problems.map((problem) => localize(translator, problem)),
});
