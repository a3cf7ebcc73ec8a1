/** The account's budget: most seconds or credits per day and per message. */
import { textOf } from '@herald-speech/browser';
import { numeral } from '../lib/languages.js';
import { errorText, readRuntime } from '../lib/runtime.js';
import { field, foldOf, prepareNumbers, setText } from './fields.js';

const SUMMARIES = { budgetPerDay: 'budget.day', budgetPerMessage: 'budget.message' } as const;

/** Shows the fields of the selected unit, and the use of today. */
export function prepareBudget(node: EditorNode): void {
  const fold = foldOf('budget');
  const unit = field('budgetUnit', HTMLSelectElement);
  if (unit.value === '') unit.value = 'seconds';
  const price = field('creditsPerSecond', HTMLInputElement);
  const row = price.closest<HTMLElement>('.form-row');
  const update = prepareNumbers(fold, () => settings(unit.value, node), node);
  const show = () => {
    if (row !== null) row.hidden = unit.value !== 'credits';
    // Credits need the price: the event makes the dialog check it again.
    $(price).trigger('change');
    update();
  };
  unit.addEventListener('change', show);
  for (const name of Object.keys(SUMMARIES))
    field(name, HTMLInputElement).addEventListener('input', () => $(price).trigger('change'));
  show();
  void showUse(node);
}

const unitText = (unit: string, node: EditorNode): string =>
  node._(unit === 'credits' ? 'budget.short.credits' : 'budget.short.seconds');

function settings(unit: string, node: EditorNode): string[] {
  return Object.entries(SUMMARIES).flatMap(([name, key]) => {
    const value = field(name, HTMLInputElement).value.trim();
    return value === '' ? [] : [node._(key, { value, unit: unitText(unit, node) })];
  });
}

/** Shows the use of today, if the account is deployed and has a budget. */
async function showUse(node: EditorNode): Promise<void> {
  try {
    const use = await readRuntime(`budget?account=${encodeURIComponent(node.id)}`);
    if (!('used' in use)) return;
    const value = numeral(Number(use['used']));
    const unit = unitText(textOf(use['unit']), node);
    setText('herald-budgetUnit-state', node._('budget.used', { value, unit }));
  } catch (error) {
    setText('herald-budgetUnit-state', errorText(error, node));
  }
}
