/** Elements of a row: its buttons, and the consent to an installation with the licence, the size and the model card. */
import { element, type ModelCard, type NaturalVoice } from '@herald-speech/browser';
import { button } from '../lib/dom.js';
import { licenceText, megabytes } from './describe.js';

/** Creates the question. The caller focuses `no`, so that a second Enter does not accept an unread licence. */
export function consentTo(
  voice: NaturalVoice,
  card: ModelCard,
  node: EditorNode,
): { question: HTMLElement; yes: HTMLButtonElement; no: HTMLButtonElement } {
  const { title, name } = voice;
  const values = { size: megabytes(card.bytes || voice.bytes), licence: licenceText(card, node) };
  const summary = element(
    'p',
    { id: `herald-terms-${name}`, className: 'herald-natural-licence' },
    node._('picker.natural.terms', { ...values }),
  );
  const label = node._('picker.natural.card', { name: title });
  const text = element('pre', { tabIndex: 0, role: 'region', ariaLabel: label }, card.text);
  const yes = button({ className: 'primary red-ui-button-small' }, node._('picker.natural.accept'));
  const no = button({ className: 'red-ui-button-small' }, node._('picker.natural.cancel'));
  const buttons = element('div', { className: 'herald-natural-buttons' }, no, yes);
  const question = element('div', { role: 'group' }, summary, text, buttons);
  question.ariaLabel = node._('picker.natural.install', { name: title });
  question.setAttribute('aria-describedby', summary.id);
  return { question, yes, no };
}

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
