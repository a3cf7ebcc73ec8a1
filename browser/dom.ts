/** Finds, creates and arranges elements without a framework. Texts of a service become text nodes, never markup. */

/** Creates an element with properties and children. A string becomes a text node. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<Omit<HTMLElementTagNameMap[Name], 'innerHTML' | 'outerHTML'>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

/** Returns an element of the page. @throws Error if the page has no such element */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} "${id}"`);
  return found;
}

/** Returns a function that calls `work` after `ms` milliseconds without another call. */
export function debounced(work: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
  };
}

/** Makes the elements the only children of a list. A child that stays keeps its place and the focus. */
export function arrange(list: Element, elements: readonly Element[]): void {
  const kept = new Set(elements);
  const surplus = [...list.children].filter((child) => !kept.has(child));
  for (const child of surplus) child.remove();
  arrangeFirst(list, elements);
}

/** Makes the elements the first children of a list. An element that moves keeps the focus. */
export function arrangeFirst(list: Element, elements: readonly Element[]): void {
  const focused = document.activeElement;
  let next = list.firstElementChild;
  for (const each of elements) {
    if (each === next) next = next.nextElementSibling;
    else list.insertBefore(each, next);
  }
  if (focused instanceof HTMLElement && focused.isConnected && document.activeElement !== focused)
    focused.focus({ preventScroll: true });
}

/**
 * Runs the action of a control, and ignores further calls until it has ended. The control keeps the focus, which a disabled
 * button loses.
 */
export async function whileBusy(control: HTMLElement, act: () => Promise<unknown>): Promise<void> {
  if (control.ariaBusy === 'true') return;
  control.ariaBusy = 'true';
  try {
    await act();
  } finally {
    control.ariaBusy = null;
  }
}

/** Shows a progress. A progress of unknown length has a bar without a value. */
export function showProgress(bar: HTMLProgressElement, done: number, total: number): void {
  if (total > 0) Object.assign(bar, { max: total, value: Math.min(done, total) });
  else bar.removeAttribute('value');
}
