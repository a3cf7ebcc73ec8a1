/** Forms and status lines. */
import { byId, element, whileBusy } from '@herald-speech/browser';

/** Returns a field of a form by its name. @throws Error if the form has no such field */
export function formField<Kind extends HTMLElement>(
  form: HTMLElement,
  name: string,
  kind: new () => Kind,
): Kind {
  const field = form.querySelector(`[name="${name}"]`);
  if (!(field instanceof kind)) throw new Error(`the form has no ${kind.name} "${name}"`);
  return field;
}

/** Creates a button. @param ariaLabel its name for screen readers, if it differs from the label */
export function quietButton(label: string, ariaLabel = label): HTMLButtonElement {
  return element('button', { type: 'button', className: 'quiet', ariaLabel }, label);
}

/** Creates the button that plays a sample. */
export function playButton(ariaLabel: string): HTMLButtonElement {
  return element('button', { type: 'button', className: 'play', ariaPressed: 'false', ariaLabel });
}

/** An option of a select element. */
export interface Choice {
  value: string;
  label: string;
}

/** Sets the options. Selects the previous value if it remains, otherwise `preferred`, otherwise the first option. */
export function offer(select: HTMLSelectElement, choices: readonly Choice[], preferred = ''): void {
  const has = (value: string) => choices.some((choice) => choice.value === value);
  const value = [select.value, preferred].find((value) => has(value)) ?? choices[0]?.value ?? '';
  select.replaceChildren(...choices.map(({ value, label }) => element('option', { value }, label)));
  select.value = value;
  select.disabled = choices.length < 2;
}

/** Shows a message in the status line of a section. Screen readers announce it. */
export function showSectionStatus(
  status: HTMLElement,
  message: string,
  tone: 'plain' | 'good' | 'bad' = 'plain',
): void {
  status.dataset['tone'] = tone;
  status.textContent = message;
}

/**
 * Runs the work of a control, unless its previous work still runs. Shows the result or the error in the status line.
 * @param work returns the message to show
 */
export function attempt(
  status: HTMLElement,
  control: HTMLElement,
  work: () => Promise<string>,
): Promise<void> {
  return whileBusy(control, async () => {
    showSectionStatus(status, '');
    try {
      showSectionStatus(status, await work(), 'good');
    } catch (error) {
      showSectionStatus(status, errorMessage(error), 'bad');
    }
  });
}

/** Runs work in the background. Shows a failure in the status line with the given id. */
export function quietly(id: string, work: () => Promise<void>): void {
  const status = byId(id, HTMLElement);
  showSectionStatus(status, '');
  work().catch((error: unknown) => showSectionStatus(status, errorMessage(error), 'bad'));
}

/** Returns the message of an error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
