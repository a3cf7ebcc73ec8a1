/** The cache of the account: its switch, its size, and the figures of the cache on disk. */
import { numeral } from '../lib/languages.js';
import type { Fields } from '@herald-speech/browser';
import { showStatus, confirmAtSecondClick } from '../lib/dom.js';
import { callRuntime, errorText, readRuntime } from '../lib/runtime.js';
import { field, foldOf, prepareNumbers } from './fields.js';

/** Shows the settings and the figures, and connects the button "Clear". */
export function prepareCache(node: EditorNode): void {
  const fold = foldOf('cache');
  const isOn = field('cache', HTMLInputElement);
  if (node['cache'] === undefined) isOn.checked = true;
  prepareNumbers(fold, () => settings(isOn.checked, node), node);
  const [pressed, note] = ['herald-cache-clear', 'herald-cache-state'].map((id) =>
    document.getElementById(id),
  );
  if (!(pressed instanceof HTMLButtonElement) || !note) return;
  const query = `account=${encodeURIComponent(node.id)}`;
  void showFigures({ pressed, note }, () => readRuntime(`cache?${query}`), node);
  const labels = { idle: node._('cache.clear'), asking: node._('cache.confirm') };
  confirmAtSecondClick(pressed, labels, () => {
    void showFigures({ pressed, note }, () => callRuntime(`cache/clear?${query}`, {}), node);
  });
}

function settings(isOn: boolean, node: EditorNode): string[] {
  if (!isOn) return [node._('cache.off')];
  const size = field('cacheSize', HTMLInputElement).value.trim();
  return size === '' ? [] : [node._('cache.on', { value: size })];
}

interface Place {
  pressed: HTMLButtonElement;
  note: HTMLElement;
}

/** Shows the figures of a reply. @param read returns `{folder, bytes, entries, savedSeconds}` */
async function showFigures(
  { pressed, note }: Place,
  read: () => Promise<Fields>,
  node: EditorNode,
): Promise<void> {
  try {
    const reply = await read();
    const figure = (name: string) => Number(reply[name] ?? 0);
    const format = (value: number) => numeral(value);
    pressed.disabled = figure('entries') === 0;
    if (reply['folder'] === null) return showStatus(note, node._('cache.disabled'));
    const values = {
      size: format(figure('bytes') / 1_000_000),
      entries: format(figure('entries')),
      seconds: format(figure('savedSeconds')),
    };
    showStatus(note, node._('cache.figures', values));
  } catch (error) {
    showStatus(note, errorText(error, node), true);
  }
}
