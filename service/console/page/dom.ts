/** Finds and makes elements. Words of the service become text, never markup. */

/**
 * An element of the page.
 * @throws when the page has none of that kind under that id
 */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} "${id}"`);
  return element;
}

/** A select, an input or a text area of a form, by its name. */
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

/** A new element with properties and children; a string is a child of text. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties<Tag> = {},
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** One choice of a select: what it stands for, and how it reads. */
export interface Choice {
  value: string;
  label: string;
}

/** Offers choices, and keeps what was chosen where it is still among them; else takes the wish, or the first. */
export function offer(select: HTMLSelectElement, choices: readonly Choice[], wish = ''): void {
  const has = (value: string) => choices.some((choice) => choice.value === value);
  const value = [select.value, wish].find((value) => has(value)) ?? choices[0]?.value ?? '';
  select.replaceChildren(...choices.map(({ value, label }) => make('option', { value }, label)));
  select.value = value;
  select.disabled = choices.length < 2;
}

/** Shows a message in the status line of a section, where a screen reader announces it. */
export function say(place: HTMLElement, message: string, tone: 'plain' | 'good' | 'bad' = 'plain'): void {
  place.dataset['tone'] = tone;
  place.textContent = message;
}

/**
 * Does what a control was pressed for, once at a time, and shows in `place` why it failed.
 * @param work gives what to say when it is done
 */
export async function attempt(
  place: HTMLElement,
  control: HTMLElement,
  work: () => Promise<string>,
): Promise<void> {
  if (control.ariaBusy === 'true') return;
  control.ariaBusy = 'true';
  say(place, '');
  try {
    say(place, await work(), 'good');
  } catch (error) {
    say(place, wordsOf(error), 'bad');
  } finally {
    control.ariaBusy = 'false';
  }
}

/** A failure in words for the user. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
