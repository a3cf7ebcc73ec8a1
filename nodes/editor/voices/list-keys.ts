/** Keyboard control of the voice list: arrow keys, Enter, Escape and Tab. */

const VOICE_BUTTON = 'button.herald-voice';

/** The search field of a panel. */
interface Search {
  search: HTMLElement;
  /** Searches at once. Returns false if the list already shows the result. */
  startSearch(): boolean;
}

/**
 * Arrow keys move between the search field and the voices. Enter searches, then goes to the first voice. Escape closes the
 * panel.
 */
export function moveByKeys(panel: HTMLElement, { search, startSearch }: Search, close: () => void): void {
  panel.addEventListener('focusin', ({ target }) => {
    const row = target instanceof Element ? target.closest('.herald-voice-row') : null;
    if (row?.parentElement instanceof HTMLElement) reachByTab(row.parentElement, row);
  });
  panel.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isInList = event.target instanceof Element && event.target.closest('.herald-voices') !== null;
    if (event.key === 'Escape') close();
    else if (step !== undefined && (isInList || event.target === search))
      move(panel, search, event.target, step);
    else if (event.key === 'Enter' && event.target === search && !event.isComposing) {
      if (!startSearch()) move(panel, search, search, 1);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** Makes the buttons of one row the only ones that Tab reaches, so that Tab leaves a long list at once. */
export function reachByTab(list: HTMLElement, row: Element | null | undefined): void {
  for (const item of list.querySelectorAll('button')) item.tabIndex = row?.contains(item) === true ? 0 : -1;
}

function move(panel: HTMLElement, search: HTMLElement, from: EventTarget | null, step: number): void {
  const buttons = [...panel.querySelectorAll<HTMLElement>(VOICE_BUTTON)];
  const index = buttons.findIndex((item) => from instanceof Element && item.parentElement?.contains(from));
  const next = index + step;
  if (next < 0) search.focus();
  else buttons[Math.min(next, buttons.length - 1)]?.focus();
}
