/** The account's dialog. */
import { accountAsTyped, prepareTest } from './account-test.js';
import { usualService } from '../ask.js';
import { languageName } from '../form/offers.js';
import { hostOf, urlProblem } from './service-url.js';
import { textOf } from '../text.js';
import { validateLanguage, validateRate } from '../form/validate.js';
import { prepareVoiceField } from '../voices/voice-field.js';

const RATES = ['auto', '20', '30', '60'];

/** A field of the dialog; the dialog is ours and has it. */
function field<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(`node-config-input-${id}`);
  if (!(element instanceof kind)) throw new Error(`the account's dialog has no ${id}`);
  return element;
}

/** Prepares the dialog: to be called as the account's `oneditprepare`. */
export function prepareAccount(node: EditorNode): void {
  const service = field('service', HTMLSelectElement);
  const url = field('url', HTMLInputElement);
  // An account of before this choice is hosted where it has an address, as in the runtime.
  if (node['service'] === undefined) service.value = usualService(textOf(node['url']));
  const show = () => {
    showService(service.value === 'hosted', url.value, node);
    // Its validity depends on the service: Node-RED looks again when it changes.
    $(url).trigger('change');
  };
  service.addEventListener('change', show);
  url.addEventListener('input', () => showService(service.value === 'hosted', url.value, node));
  prepareRate(node);
  show();
  prepareTest(node);
  prepareLanguage(node);
  prepareVoice(node);
}

/** The voice that speaks where nobody says one is picked from a list too. */
function prepareVoice(node: EditorNode): void {
  const voice = field('voice_id', HTMLInputElement);
  const row = voice.closest<HTMLElement>('.form-row');
  if (row === null) return;
  const look = prepareVoiceField({
    node,
    row,
    library: 'all',
    target: () => accountAsTyped(node),
    // Blank: the placeholder says whose voice it is.
    read: () => voice.value.trim() || undefined,
    write(voice_id) {
      voice.value = voice_id;
      $(voice).trigger('change');
    },
    chosen: () => ({ language: field('language', HTMLInputElement).value }),
    known: () => undefined,
  });
  voice.addEventListener('input', look);
  $(voice).on('change', look);
}

/** The build lists the codes; what they are called is in the editor's own language. Any other code may be typed. */
function prepareLanguage(node: EditorNode): void {
  const language = field('language', HTMLInputElement);
  explain(language, 'herald-language-problem', (value) => validateLanguage(node, value));
  for (const option of document.querySelectorAll<HTMLOptionElement>('#herald-languages option')) {
    option.label = languageName(option.value);
  }
}

/** Says in a place of the dialog what is wrong with an input's value, while it is typed. */
function explain(input: HTMLInputElement, place: string, validate: (value: string) => true | string): void {
  const note = document.getElementById(place);
  const show = () => {
    const valid = validate(input.value);
    if (note !== null) note.textContent = valid === true ? '' : valid;
  };
  $(input).on('input change', show);
  show();
}

/** Shows what matters for the service, what is wrong with its address, and where texts go. */
function showService(hosted: boolean, url: string, node: EditorNode): void {
  for (const row of document.querySelectorAll<HTMLElement>('.herald-hosted')) row.hidden = !hosted;
  const problem = hosted ? urlProblem(url) : undefined;
  const place = document.getElementById('herald-url-problem');
  if (place !== null)
    place.textContent = problem === undefined || problem === 'url-blank' ? '' : node._(problem);
  const voice = field('voice_id', HTMLInputElement);
  voice.placeholder = node._(hosted ? 'voice.blank-hosted' : 'voice.blank-local');
  const where = document.getElementById('herald-where');
  const host = problem === undefined ? hostOf(url.trim()) : node._('sent.the-service');
  if (where !== null) where.textContent = hosted ? node._('sent.hosted', { host }) : node._('sent.local');
}

/** The usual rates are picked from a list; the saved property is an input of its own, shown for any other rate. */
function prepareRate(node: EditorNode): void {
  const rate = field('requestsPerMinute', HTMLInputElement);
  const list = field('rate', HTMLSelectElement);
  if (rate.value === '') rate.value = 'auto';
  list.value = RATES.includes(rate.value) ? rate.value : 'other';
  rate.hidden = list.value !== 'other';
  explain(rate, 'herald-rate-problem', (value) => validateRate(node, value));
  list.addEventListener('change', () => {
    const other = list.value === 'other';
    rate.hidden = !other;
    rate.value = other ? '' : list.value;
    if (other) rate.focus();
    $(rate).trigger('change');
  });
}

/** The account's name, or where it speaks to. */
export function accountLabel(node: EditorNode): string {
  const host = node['service'] === 'hosted' ? hostOf(textOf(node['url'])) : node._('service.local');
  return textOf(node['name']) || host || node._('label');
}
