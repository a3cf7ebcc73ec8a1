/** The note below a field of a config node: the problem of its value. */
import { afterPress } from './dom.js';

/** Returns true for a valid value, otherwise its localized problem. */
export type Validate = (value: string) => true | string;

/** The functions that show the notes of required inputs, also of blank ones that the user has not visited. */
const visits = new WeakMap<HTMLInputElement, () => void>();

export function setText(id: string, text: string): void {
  const place = document.getElementById(id);
  if (place !== null) place.textContent = text;
}

/** Returns the typed text. The browser reports a text that is no number as a blank value. */
const textIn = ({ value, validity }: HTMLInputElement): string => (validity.badInput ? 'NaN' : value);

/**
 * Shows the problem of an input in a note while the user types.
 * @returns a function that shows the present problem
 */
export function showFieldProblem(input: HTMLInputElement, noteId: string, validate: Validate): () => void {
  const show = () => {
    const valid = validate(textIn(input));
    setText(noteId, valid === true ? '' : valid);
  };
  $(input).on('input change', show);
  show();
  return show;
}

/**
 * Shows the problem of a required input in a note while the user types. A blank input has its note only after the user has left it,
 * or pressed a button that needs the value (`askFor`).
 */
export function showRequired(input: HTMLInputElement, noteId: string, validate: Validate): void {
  let isVisited = false;
  const show = showFieldProblem(input, noteId, (value) =>
    value.trim() !== '' || isVisited ? validate(value) : true,
  );
  const visit = () => {
    isVisited = true;
    show();
  };
  input.addEventListener('blur', () => afterPress(visit));
  visits.set(input, visit);
}

/** Shows the notes of required inputs, and moves the focus to the first of them. */
export function askFor(inputs: readonly HTMLInputElement[]): void {
  for (const input of inputs) visits.get(input)?.();
  inputs[0]?.focus();
}
