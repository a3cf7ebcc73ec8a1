/** The tab of the sidebar. The page of the plugin opens and closes it. */
import { createPanel, type PanelPart } from './panel.js';
import { words } from './words.js';

const TAB = 'herald-speech';
const ACTION = 'herald-speech:show-speech-tab';

/** Ends the tab. Undefined before `openTab`. */
let close: (() => void) | undefined;

/**
 * Adds the tab to the sidebar of the editor.
 * @param offer the offer of a natural voice
 */
export function openTab(offer: PanelPart): void {
  const { content, start, stop } = createPanel(offer);
  const label = words('label');
  const show = () => {
    RED.sidebar.show(TAB);
    // The list of actions returns the focus to the workspace when it closes.
    requestAnimationFrame(() => content.focus());
  };
  RED.actions.add(ACTION, show, { label: words('action') });
  RED.sidebar.addTab({
    id: TAB,
    label,
    name: label,
    iconClass: 'fa fa-bullhorn',
    content,
    enableOnEdit: true,
    action: ACTION,
  });
  const unwatch = watchVisibility(content, (isVisible) => (isVisible ? start() : stop()));
  close = () => {
    unwatch();
    stop();
    RED.actions.remove(ACTION);
    RED.sidebar.removeTab(TAB);
  };
}

/** Removes the tab after the package was removed from the palette. */
export function closeTab(): void {
  close?.();
  close = undefined;
}

/** Calls `changed` when the tab or the window appears or disappears. Returns a function that ends this. */
function watchVisibility(content: Element, changed: (isVisible: boolean) => void): () => void {
  let isShown = false;
  const update = () => changed(isShown && document.visibilityState === 'visible');
  const observer = new IntersectionObserver((entries) => {
    isShown = entries.at(-1)?.isIntersecting === true;
    update();
  });
  observer.observe(content);
  document.addEventListener('visibilitychange', update);
  return () => {
    observer.disconnect();
    document.removeEventListener('visibilitychange', update);
  };
}
