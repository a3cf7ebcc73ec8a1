/** The account's budget: most seconds or credits per day, month and message. */
import { fieldsOf, listOf, textOf } from '@herald-speech/browser';
import { setText } from '../lib/field-note.js';
import { numeral } from '../lib/languages.js';
import { errorText, readRuntime } from '../lib/runtime.js';
import { serviceFacts } from '../lib/services.js';
import { BUDGETS } from './account-values.js';
import { hasFallback } from './fallback.js';
import { field, foldOf, prepareNumbers } from './fields.js';

/** Shows the fields of the selected unit, the use, and whether a fallback speaks. */
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
  const service = field('service', HTMLSelectElement);
  const offerUnits = () => {
    const { has } = serviceFacts(service.value);
    const credits = unit.querySelector<HTMLOptionElement>('option[value="credits"]');
    // Some browsers show a hidden option.
    if (credits !== null) credits.hidden = credits.disabled = !has('getCredits');
    if (!has('getCredits')) unit.value = 'seconds';
    show();
  };
  service.addEventListener('change', offerUnits);
  for (const name of Object.keys(BUDGETS))
    field(name, HTMLInputElement).addEventListener('input', () => $(price).trigger('change'));
  offerUnits();
  showFallback(node);
  void showUse(node);
}

const unitText = (unit: string, node: EditorNode): string =>
  node._(unit === 'credits' ? 'budget.short.credits' : 'budget.short.seconds');

function settings(unit: string, node: EditorNode): string[] {
  return Object.entries(BUDGETS).flatMap(([name, key]) => {
    const value = field(name, HTMLInputElement).value.trim();
    return value === '' ? [] : [node._(key, { value, unit: unitText(unit, node) })];
  });
}

/** Tells what happens above the budget. By default the fallback speaks, so that only the paid speech stops. */
function showFallback(node: EditorNode): void {
  const list = field('fallback', HTMLSelectElement);
  const show = () =>
    setText('herald-budget-state', node._(hasFallback(list) ? 'budget.fallback' : 'budget.stop'));
  for (const each of [list, field('service', HTMLSelectElement)]) each.addEventListener('change', show);
  show();
}

/** Shows the use of today, and of a limited month, if the account is deployed and has a budget. */
async function showUse(node: EditorNode): Promise<void> {
  try {
    const use = await readRuntime(`budget?account=${encodeURIComponent(node.id)}`);
    if (!('used' in use)) return;
    const unit = unitText(textOf(use['unit']), node);
    const month = listOf(use['limits'])
      .map(fieldsOf)
      .find(({ per }) => per === 'month');
    const shown = (key: string, used: unknown) => node._(key, { value: numeral(Number(used)), unit });
    const texts = [
      shown('budget.used', use['used']),
      ...(month ? [shown('budget.used-month', month['used'])] : []),
    ];
    setText('herald-budgetUnit-state', texts.join(' '));
  } catch (error) {
    setText('herald-budgetUnit-state', errorText(error, node));
  }
}
