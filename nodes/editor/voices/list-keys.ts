/** Arrow keys in a list whose rows are buttons. */

const ROW = 'button.herald-voice';

/** Down goes from the search to the list and through it, up goes back; enter presses; escape closes. */
export function moveByKeys(panel: HTMLElement, search: HTMLElement, close: () => void): void {
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
    else if (event.key === 'Enter' && event.target === search) move(panel, search, search, 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** Makes one row the one that the tab key reaches; a list of a hundred voices is not a hundred stops. */
export function reachByTab(list: HTMLElement, row: Element | null | undefined): void {
  for (const one of list.querySelectorAll('button')) one.tabIndex = row?.contains(one) === true ? 0 : -1;
}

function move(panel: HTMLElement, search: HTMLElement, from: EventTarget | null, step: number): void {
  const rows = [...panel.querySelectorAll<HTMLElement>(ROW)];
  const at = rows.findIndex((row) => from instanceof Element && row.parentElement?.contains(from));
  const to = at + step;
  if (to < 0) search.focus();
  else rows[Math.min(to, rows.length - 1)]?.focus();
}
