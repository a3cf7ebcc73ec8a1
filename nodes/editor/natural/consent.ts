/** The consent to an installation: the licence, the size and the model card, with one button. */
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
