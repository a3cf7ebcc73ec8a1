/** Elements of a row: its buttons, and the consent to an installation with the licence, the size and the model card. */
import { element, type ModelCard, type NaturalVoice } from '@herald-speech/browser';
import { button, icon } from '../lib/dom.js';
import { slowText, voiceWords } from '../lib/languages.js';
import { factsOf, licenceText, megabytes, type TextsOf } from './describe.js';

/** Creates the portrait, the name, the marks and the facts of a voice. */
export function descriptionOf(voice: NaturalVoice, node: TextsOf): HTMLElement {
  const { title, name, installed } = voice;
  const portrait = element('span', { className: 'herald-portrait', ariaHidden: 'true' }, title[0] ?? '');
  const heading = element('span', { className: 'herald-voice-name' }, element('strong', {}, title), ' ');
  const badge = (text: string) => element('span', { className: 'herald-badge' }, text);
  if (installed) heading.append(badge(node._('picker.natural.installed')), ' ');
  if (installed?.isLive === false) heading.append(badge(voiceWords()['not-live']), ' ');
  heading.append(element('code', {}, name));
  const facts = element('small', {}, factsOf(voice, node));
  const slow = element('small', {}, installed ? slowText(installed) : '');
  return element('div', { className: 'herald-voice' }, portrait, element('span', {}, heading, facts, slow));
}

/** Creates the question. The caller focuses `no`, so that a second Enter does not accept an unread licence. */
export function consentTo(
  voice: NaturalVoice,
  card: ModelCard,
  node: TextsOf,
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

/** Names a button that installs an offered voice. A press accepts a known licence, and shows another one first. */
export function nameOffer(pressed: HTMLButtonElement, voice: NaturalVoice, node: TextsOf): void {
  const { title: name, bytes, licence } = voice;
  const size = megabytes(bytes);
  const isKnown = licence !== '';
  const text = isKnown
    ? node._('picker.natural.offer.install', { name, size, licence: licenceText(voice, node) })
    : node._('picker.natural.offer.ask', { name, size });
  nameAfter(pressed, text);
  pressed.title = node._(isKnown ? 'picker.natural.offer.consent' : 'picker.natural.offer.question');
}

/** Gives a button a visible text that is also its name. */
function nameAfter(pressed: HTMLButtonElement, text: string): void {
  pressed.replaceChildren(element('span', {}, text));
  pressed.ariaLabel = text;
}

/** The buttons of a row: the visible text, and the name with the voice. */
export const ACTIONS = {
  install: { label: 'picker.natural.labels.install', name: 'picker.natural.install' },
  use: { label: 'picker.natural.labels.use', name: 'picker.natural.use' },
  measure: { label: 'picker.natural.labels.measure', name: 'picker.natural.measure' },
  remove: { label: 'picker.natural.labels.remove', name: 'picker.natural.remove' },
} as const;

/** Creates a button whose name for screen readers contains the voice. */
export function rowButton(
  action: keyof typeof ACTIONS,
  { title }: NaturalVoice,
  node: TextsOf,
): HTMLButtonElement {
  const { label, name } = ACTIONS[action];
  const created = button({ className: 'red-ui-button-small' }, element('span', {}, node._(label)));
  created.dataset['action'] = action;
  created.ariaLabel = node._(name, { name: title });
  return created;
}

/** Creates the button that plays the sample of a voice. @param title the name of the voice */
export const sampleButton = (title: string, node: TextsOf): HTMLButtonElement =>
  button({ className: 'herald-play', title: node._('picker.play', { name: title }) }, icon('play'));

/** Creates the button that cancels a job. @param name the name of the button for screen readers */
export function cancelButton(name: string, node: TextsOf): HTMLButtonElement {
  const created = button({ className: 'red-ui-button-small' }, node._('picker.natural.cancel'));
  created.dataset['action'] = 'cancel';
  created.ariaLabel = name;
  return created;
}

/** Returns the keys of the texts of a job. That of an installed voice only measures it. */
export const jobTexts = (isInstalled: boolean) =>
  isInstalled
    ? ({
        progress: 'picker.natural.measurement.progress',
        cancel: 'picker.natural.measurement.cancel',
        done: 'picker.natural.measurement.done',
      } as const)
    : ({
        progress: 'picker.natural.progress',
        cancel: 'picker.natural.cancel-of',
        done: 'picker.natural.done',
      } as const);
