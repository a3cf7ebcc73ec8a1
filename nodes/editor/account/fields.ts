/** The fields of the account's dialog. */
import { showFieldProblem } from '../lib/field-note.js';
import { keepState, markInvalid, writeSummary } from '../form/folds.js';
import { isLimitName, type Limit, LIMITS } from './account-values.js';
import { validateLimit } from './validate-account.js';

/** Returns a field of the open dialog. @throws Error if `nodes/account.html` has no such field */
export function field<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(`node-config-input-${id}`);
  if (!(element instanceof kind)) throw new Error(`the account's dialog has no ${id}`);
  return element;
}

/** Returns a fold of the open dialog. @throws Error if `nodes/account.html` has no such fold */
export function foldOf(name: string): HTMLDetailsElement {
  const fold = document.querySelector<HTMLDetailsElement>(`.herald-form [data-fold="${name}"]`);
  if (fold === null) throw new Error(`the account's dialog has no fold ${name}`);
  return fold;
}

/** The numbers in a fold. */
export const limitsIn = (fold: Element): Limit[] =>
  Object.keys(LIMITS).filter(
    (name): name is Limit => isLimitName(name) && fold.contains(field(name, HTMLInputElement)),
  );

/**
 * Shows the problems of the numbers in a fold, and the settings of the fold in its summary. A fold with a problem opens.
 * @param settings returns the texts of the settings
 * @param isWrong whether another field of the fold has a problem
 * @returns a function that updates summary and problems
 */
export function prepareNumbers(
  fold: HTMLDetailsElement,
  settings: () => readonly string[],
  node: EditorNode,
  isWrong: () => boolean = () => false,
): () => void {
  keepState(fold, node);
  const names = limitsIn(fold);
  const isInvalid = () =>
    isWrong() ||
    names.some((name) => validateLimit(node, field(name, HTMLInputElement).value, name) !== true);
  for (const name of names) {
    const validate = (value: string) => validateLimit(node, value, name);
    showFieldProblem(field(name, HTMLInputElement), `herald-${name}-problem`, validate);
  }
  const update = () => {
    writeSummary(fold, settings());
    markInvalid(fold, isInvalid(), node);
  };
  $(fold).on('input change', update);
  update();
  if (isInvalid()) fold.open = true;
  return update;
}

/** Returns the typed value of a number, or its default, which is the placeholder. */
export function numberText(name: Limit): string {
  const { value, placeholder } = field(name, HTMLInputElement);
  return value.trim() || placeholder;
}
