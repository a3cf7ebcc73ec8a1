/** Creates elements without a framework. */

/** Creates an element with properties and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

/** Creates an icon that screen readers skip. */
export const icon = (name: string): HTMLElement =>
  element('i', { className: `fa fa-${name}`, ariaHidden: 'true' });

/** Creates a button in the style of the editor. A button with only an icon needs a title as its name. */
export function button(
  { className = '', title = '' }: { className?: string; title?: string },
  ...children: readonly (Node | string)[]
): HTMLButtonElement {
  const named = title === '' ? {} : { title, ariaLabel: title };
  return element(
    'button',
    { type: 'button', className: `red-ui-button ${className}`, ...named },
    ...children,
  );
}

/** Replaces the text of a note, and marks it as a problem or removes the mark. */
export function showStatus(note: HTMLElement, text: string, isProblem = false): void {
  note.textContent = text;
  note.classList.toggle('herald-problem', isProblem);
}

/**
 * Runs the action of a button, and ignores further clicks until it has ended. The button keeps the focus, which a disabled
 * button loses.
 */
export function whileBusy(pressed: HTMLButtonElement, act: () => Promise<void>): void {
  if (pressed.ariaDisabled === 'true') return;
  pressed.ariaDisabled = 'true';
  void act().finally(() => (pressed.ariaDisabled = null));
}

/** Scrolls the dialog until an element is visible, or its start if the element is too tall. */
export function reveal(part: Element): void {
  part.scrollIntoView({ block: 'nearest' });
}

/** Returns a function that calls `work` after `ms` milliseconds without another call. */
export function debounced(work: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
  };
}
