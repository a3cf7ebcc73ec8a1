/** The account's "Open console": signs in to the console of the local service in a new tab. */
import { textOf } from '@herald-speech/browser';
import { callRuntime, errorText } from '../lib/runtime.js';

/** The console accepts browsers on the computer of the service only. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Connects the dialog's button. On another computer, the button is disabled and the dialog names the reason. */
export function prepareConsole(node: EditorNode): void {
  const [pressed, place] = ['herald-console-open', 'herald-console-state'].map((id) =>
    document.getElementById(id),
  );
  if (!(pressed instanceof HTMLButtonElement) || !place) return;
  pressed.disabled = !LOOPBACK.includes(location.hostname);
  if (pressed.disabled) place.textContent = node._('console.elsewhere');
  pressed.addEventListener('click', () => void open(node, place));
}

/** Opens the tab before the request: browsers block tabs that open later than the click. */
async function open(node: EditorNode, place: HTMLElement): Promise<void> {
  place.textContent = '';
  const tab = window.open('about:blank');
  if (tab === null) {
    place.textContent = node._('console.blocked');
    return;
  }
  tab.opener = null;
  try {
    const reply = await callRuntime('console', { typed: { service: 'local' } });
    tab.location.replace(textOf(reply['url']));
  } catch (error) {
    tab.close();
    place.textContent = errorText(error, node);
  }
}
