/** The panels that Node-RED opens from the expand buttons of rows. Node-RED gives them no focus, and adds them at the end of the page. */
import type { Row } from '../rows.js';

interface RowPanel {
  icon: string;
  /** Pixels. */
  minWidth: number;
  /** Creates the content. The panel closes when the user has finished with it. */
  content(widget: TypedInputWidget, close: () => void): HTMLElement;
}

const CONTROLS = 'textarea, select, input:not(:disabled)';

/**
 * Returns a panel whose first control has the focus. Escape, Ctrl+Enter, Enter in a field of one line and a Tab beyond its controls close
 * it, and the button of the row has the focus again.
 */
export function rowPanel({ input }: Row, { icon, minWidth, content }: RowPanel): TypedInputExpand {
  return {
    icon,
    minWidth,
    content(container) {
      const panel = content(this, close);
      // A panel without an enabled control has the focus itself.
      panel.tabIndex = -1;
      panel.addEventListener('keydown', (event) => closeByKeys(panel, event));
      container.append(panel);
      const opener = document.getElementById(`${input.id}-expand`);
      // Node-RED shows the panel at the end of this task.
      queueMicrotask(() => {
        (controlsIn(panel)[0] ?? panel).focus({ preventScroll: true });
        if (opener !== null) follow(panel, opener);
      });
      return { onclose: () => opener?.focus({ preventScroll: true }) };
    },
  };
}

const controlsIn = (panel: HTMLElement): HTMLElement[] => [...panel.querySelectorAll<HTMLElement>(CONTROLS)];

/**
 * Moves an open panel with the button of its row. Node-RED places the panel once, and the row moves when a note above it changes and
 * when the user scrolls the dialog.
 */
function follow(panel: HTMLElement, opener: HTMLElement): void {
  const placed = panel.closest<HTMLElement>('.red-ui-popover-panel');
  if (placed === null) return;
  let former = opener.getBoundingClientRect().top;
  const move = () => {
    // A key of Node-RED can close the dialog before the panel.
    if (!placed.isConnected || !opener.checkVisibility()) return;
    const { top } = opener.getBoundingClientRect();
    if (top !== former) placed.style.top = `${placed.offsetTop + top - former}px`;
    former = top;
    requestAnimationFrame(move);
  };
  requestAnimationFrame(move);
}

/** Closes a panel as Node-RED does when the user presses the mouse outside of it. */
function close(): void {
  document.body.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
}

function closeByKeys(panel: HTMLElement, event: KeyboardEvent): void {
  const { key, target, shiftKey, ctrlKey, metaKey, isComposing } = event;
  const isLeft = key === 'Tab' && target === (controlsIn(panel).at(shiftKey ? 0 : -1) ?? panel);
  const isDone = key === 'Enter' && (ctrlKey || metaKey || !(target instanceof HTMLTextAreaElement));
  if (isComposing || !(isLeft || isDone || key === 'Escape')) return;
  // Node-RED looks for the ancestors of the key's target, which the closed panel no longer has.
  event.stopPropagation();
  // Tab goes on from the button of the row.
  if (!isLeft || shiftKey) event.preventDefault();
  close();
}
