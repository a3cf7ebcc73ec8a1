/** The panel of the prompts node: the plan of the table, and the run of the deployed node. */
import { element, whileBusy } from '@herald-speech/browser';
import { accountInDialog } from '../form/account-field.js';
import { forgetProblem } from '../form/problems.js';
import { labelsOfDynamic, onEdit, type Rows } from '../form/rows.js';
import { button, icon, reveal, showStatus } from '../lib/dom.js';
import { callRuntime, errorText } from '../lib/runtime.js';
import { pronunciationsOfAccount, triedFields, typedValues } from '../trial/trial-request.js';
import { planText } from './describe.js';
import { createPlanList } from './plan-list.js';
import { planIn } from './plan.js';
import { playRow } from './play-row.js';
import { createRunPanel } from './run-panel.js';

/** Fields of the form that a plan uses. */
const plannedFields = (rows: Rows): readonly string[] => [...triedFields(rows), 'rows', 'csv_file', 'folder'];

/** Fills the panel's element if the form has one. */
export function preparePrompts(rows: Rows, node: EditorNode): void {
  const place = document.querySelector<HTMLElement>('.herald-prompts');
  if (place === null) return;
  const plan = button({}, icon('list-ol'), ` ${node._('prompts.plan')}`);
  plan.dataset['action'] = 'plan';
  const note = element('p', { className: 'herald-note', role: 'status' });
  const runNote = element('p', { className: 'herald-note', role: 'status' });
  const show = (text: string, isProblem = false) => showStatus(note, text, isProblem);
  const maxLength = Number(place.dataset['maxLength']);
  const list = createPlanList(
    node,
    (row, pressed) => void playRow(row, pressed, { rows, node, maxLength, show }),
  );
  let planned: string | undefined;
  const checkPlan = () => {
    if (planned !== undefined && planned !== valuesIn(rows)) show(node._('prompts.plan-again'));
  };
  const showPlan = async () => {
    const values = valuesIn(rows);
    planned = (await makePlan(rows, node, list.show, show)) ? values : undefined;
    reveal(planned === undefined ? note : list.part);
    // The user may have changed a value meanwhile.
    checkPlan();
  };
  const runs = createRunPanel(rows, node, runNote, {
    // The problem of an earlier plan does not concern the run.
    onPress: () => note.classList.contains('herald-problem') && show(''),
    onEnd: showPlan,
  });
  for (const each of [note, runNote]) forgetProblem(each, rows);
  plan.addEventListener('click', () => void whileBusy(plan, showPlan));
  for (const row of rows) if (plannedFields(rows).includes(row.field)) onEdit(row, checkPlan);
  const buttons = element('div', { className: 'herald-prompts-buttons' }, plan, ...runs.buttons);
  place.append(buttons, runs.progress, runNote, note, list.part);
  show(node._('prompts.needed'));
  void runs.look();
}

const valuesIn = (rows: Rows): string => JSON.stringify(typedValues(rows, plannedFields(rows)));

/** Compares the table with the folder, with the values of the dialog. Returns whether it worked. */
async function makePlan(
  rows: Rows,
  node: EditorNode,
  showList: ReturnType<typeof createPlanList>['show'],
  show: (text: string, isProblem?: boolean) => void,
): Promise<boolean> {
  const target = accountInDialog(node);
  if (target === undefined) {
    show(node._('picker.no-account'), true);
    return false;
  }
  show(node._('prompts.planning'));
  try {
    const plan = planIn(
      await callRuntime('prompts/plan', {
        ...target,
        node: node.id,
        request: typedValues(rows, plannedFields(rows)),
        pronunciations: pronunciationsOfAccount(),
      }),
    );
    showList(plan);
    show([planText(plan, node), omittedText(rows, node)].filter(Boolean).join(' '));
    return true;
  } catch (error) {
    showList(undefined);
    show(errorText(error, node), true);
    return false;
  }
}

/** Returns a text that lists the fields whose value depends on a message, or ''. The table may come from the last message. */
function omittedText(rows: Rows, node: EditorNode): string {
  const used = plannedFields(rows).filter((field) => field !== 'rows');
  const fields = labelsOfDynamic(rows, used, node);
  return fields === '' ? '' : node._('prompts.left-out', { fields });
}
