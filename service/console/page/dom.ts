/** Finds and creates elements. Texts of the service become text nodes, never markup. */

/**
 * Returns an element of the page.
 * @throws Error if the page has no such element
 */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} "${id}"`);
  return element;
}

/** Returns a field of a form by its name. @throws Error if the form has no such field */
export function fieldOf<Kind extends HTMLElement>(
  form: HTMLElement,
  name: string,
  kind: new () => Kind,
): Kind {
  const element = form.querySelector(`[name="${name}"]`);
  if (!(element instanceof kind)) throw new Error(`the form has no ${kind.name} "${name}"`);
  return element;
}

type Properties<Tag extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Tag], 'innerHTML' | 'outerHTML'>
>;

/** Creates an element with properties and children. A string becomes a text node. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties<Tag> = {},
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
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
  select.replaceChildren(...choices.map(({ value, label }) => make('option', { value }, label)));
  select.value = value;
  select.disabled = choices.length < 2;
}

/** Makes the elements the only children of a list. A child that stays keeps the focus. */
export function arrange(list: HTMLElement, elements: readonly HTMLElement[]): void {
  const kept = new Set<Element>(elements);
  const surplus = Array.from(list.children).filter((child) => !kept.has(child));
  for (const child of surplus) child.remove();
  let next = list.firstElementChild;
  for (const element of elements) {
    if (element === next) next = next.nextElementSibling;
    else list.insertBefore(element, next);
  }
}

/** Shows a message in the status line of a section. Screen readers announce it. */
export function showStatus(
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
export async function attempt(
  status: HTMLElement,
  control: HTMLElement,
  work: () => Promise<string>,
): Promise<void> {
  if (control.ariaBusy === 'true') return;
  control.ariaBusy = 'true';
  showStatus(status, '');
  try {
    showStatus(status, await work(), 'good');
  } catch (error) {
    showStatus(status, messageOf(error), 'bad');
  } finally {
    control.ariaBusy = 'false';
  }
}

/** Returns the message of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
