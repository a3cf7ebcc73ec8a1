/** Elements of our own, without a framework. */

/** An element with properties and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** An icon that says nothing to a screen reader. */
export const icon = (name: string): HTMLElement =>
  element('i', { className: `fa fa-${name}`, ariaHidden: 'true' });

/** A button in the style of the editor; the title is its name where it shows an icon alone. */
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

/** Calls `work` once nobody has asked for it for a while. */
export function debounced(work: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
  };
}
