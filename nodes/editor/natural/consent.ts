/** The consent to an installation: the licence, the size and the model card, with one button. */
import { button, element } from '../dom.js';
import { licenceText, megabytes } from './describe.js';
import type { ModelCard, NaturalVoice } from './natural-voice.js';

export interface ConsentActions {
  accept(): void;
  cancel(): void;
}

/** Creates the question. The button that accepts comes after the licence and the size, so that screen readers read these first. */
export function consentTo(
  voice: NaturalVoice,
  card: ModelCard,
  { accept, cancel }: ConsentActions,
  node: EditorNode,
): { question: HTMLElement; yes: HTMLButtonElement } {
  const { title } = voice;
  const values = { size: megabytes(card.bytes || voice.bytes), licence: licenceText(card, node) };
  const summary = element(
    'p',
    { className: 'herald-natural-licence' },
    node._('picker.natural.terms', { ...values }),
  );
  const label = node._('picker.natural.card', { name: title });
  const text = element('pre', { tabIndex: 0, role: 'region', ariaLabel: label }, card.text);
  const yes = button({ className: 'primary red-ui-button-small' }, node._('picker.natural.accept'));
  const no = button({ className: 'red-ui-button-small' }, node._('picker.natural.cancel'));
  yes.addEventListener('click', accept);
  no.addEventListener('click', cancel);
  const buttons = element('div', { className: 'herald-natural-buttons' }, yes, no);
  const question = element('div', { role: 'group' }, summary, text, buttons);
  question.ariaLabel = node._('picker.natural.install', { name: title });
  return { question, yes };
}
