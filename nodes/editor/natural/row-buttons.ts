import { element, type NaturalVoice } from '@herald-speech/browser';
import { button } from '../lib/dom.js';

/** The buttons of a row: the visible text, and the name with the voice. */
export const ACTIONS = {
  install: { label: 'picker.natural.labels.install', name: 'picker.natural.install' },
  use: { label: 'picker.natural.labels.use', name: 'picker.natural.use' },
  remove: { label: 'picker.natural.labels.remove', name: 'picker.natural.remove' },
} as const;

/** Creates a button whose name for screen readers contains the voice. */
export function rowButton(
  action: keyof typeof ACTIONS,
  { title }: NaturalVoice,
  node: EditorNode,
): HTMLButtonElement {
  const { label, name } = ACTIONS[action];
  const created = button({ className: 'red-ui-button-small' }, element('span', {}, node._(label)));
  created.dataset['action'] = action;
  created.ariaLabel = node._(name, { name: title });
  return created;
}
