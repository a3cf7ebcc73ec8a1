/** Keeps a panel of a dialog visible while the rest of the dialog loads. */
import { reveal } from '../lib/dom.js';

/** Keys that scroll the dialog from a field of the panel. */
const SCROLL_KEYS = new Set(['PageUp', 'PageDown']);

/**
 * Scrolls a panel into view at each change of its size, of the elements around it and of the window. Values of other rows
 * arrive later and move the panel. A panel with an open fold may be higher than the window: the browser then leaves it where it is, so the
 * fold is scrolled into view too. Ends when the panel is removed, when the user scrolls, or when the user presses an element
 * or a key outside the panel. After that, no late change moves the page under the user. A focus outside does not count: Node-RED
 * sets the focus to the first field after the dialog has opened, on a slow computer after the user has opened the panel.
 * @param panel is in the document
 */
export function keepInView(panel: HTMLElement): void {
  const ended = new AbortController();
  const end = () => ended.abort();
  const endOutside = ({ target }: Event) => {
    if (!(target instanceof Node && panel.contains(target))) end();
  };
  const endAtKey = ({ key }: KeyboardEvent) => {
    if (SCROLL_KEYS.has(key)) end();
  };
  const show = () => {
    for (const part of [panel, ...panel.querySelectorAll('details[open]')]) reveal(part);
  };
  const observer = new ResizeObserver(() => (panel.isConnected ? show() : end()));
  for (const one of [panel, ...ancestorsOf(panel)]) observer.observe(one);
  ended.signal.addEventListener('abort', () => observer.disconnect());
  const options = { signal: ended.signal, capture: true, passive: true };
  for (const scroll of ['wheel', 'touchmove']) window.addEventListener(scroll, end, options);
  for (const use of ['pointerdown', 'keydown']) window.addEventListener(use, endOutside, options);
  window.addEventListener('keydown', endAtKey, options);
}

/** Returns the elements around an element. Their sizes change with the rows above it, and with the window. */
function ancestorsOf({ parentElement }: Element): Element[] {
  return parentElement === null ? [] : [parentElement, ...ancestorsOf(parentElement)];
}
