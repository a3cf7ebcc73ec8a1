/** The account's dialog. */
import { editorLanguage, languageName } from '../languages.js';
import { defaultService } from '../runtime.js';
import { textOf } from '../text.js';
import { languageFor } from '../voices/voice.js';
import { prepareVoiceField } from '../voices/voice-field.js';
import { accountAsTyped, prepareTest } from './account-test.js';
import { prepareConsole } from './console-button.js';
import { hostOf, isLimitName, LIMITS, urlProblem } from './account-values.js';
import { validateLanguage, validateLimit, validateRate } from './validate-account.js';

/** Returns a field of the open dialog. @throws Error if `nodes/account.html` has no such field */
function field<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(`node-config-input-${id}`);
  if (!(element instanceof kind)) throw new Error(`the account's dialog has no ${id}`);
  return element;
}

/** Prepares the dialog when Node-RED opens it (`oneditprepare`). */
export function prepareAccount(node: EditorNode): void {
  prepareService(node);
  prepareRate(node);
  prepareLimits(node);
  prepareTest(node);
  prepareConsole(node);
  prepareLanguage(node);
  prepareVoice(node);
}

function prepareService(node: EditorNode): void {
  const service = field('service', HTMLSelectElement);
  const url = field('url', HTMLInputElement);
  if (node['service'] === undefined) service.value = defaultService(textOf(node['url']));
  const show = () => showService(service.value === 'hosted', url.value, node);
  service.addEventListener('change', () => {
    show();
    // The validity of the URL depends on the service: the event makes Node-RED validate it again.
    $(url).trigger('change');
  });
  url.addEventListener('input', show);
  show();
  $(url).trigger('change');
}

/** Adds the voice picker to the field of the default voice. */
function prepareVoice(node: EditorNode): void {
  const [voice, language] = [field('voice_id', HTMLInputElement), field('language', HTMLInputElement)];
  const row = voice.closest<HTMLElement>('.form-row');
  if (row === null) return;
  const refresh = prepareVoiceField({
    node,
    row,
    library: 'all',
    target: () => accountAsTyped(node),
    // A blank field is not looked up: its placeholder names the default voice of the service.
    read: () => voice.value.trim() || undefined,
    write(chosen) {
      voice.value = chosen.voice_id;
      $(voice).trigger('change');
      language.value = languageFor(chosen, language.value.trim());
      $(language).trigger('change');
    },
    chosen: () => ({}),
    onVoice: () => undefined,
  });
  voice.addEventListener('input', refresh);
  $(voice).on('change', refresh);
}

/**
 * Sets the language of a new account to the language of the editor. Adds names to the offered codes. The user may type any
 * code.
 */
function prepareLanguage(node: EditorNode): void {
  const language = field('language', HTMLInputElement);
  const offered = [...document.querySelectorAll<HTMLOptionElement>('#herald-languages option')];
  const isNew = !RED.nodes.node(node.id);
  if (isNew && offered.some(({ value }) => value === editorLanguage())) language.value = editorLanguage();
  showProblem(language, 'herald-language-problem', (value) => validateLanguage(node, value));
  for (const option of offered) option.label = languageName(option.value);
}

/** Shows the problem of an input in a note while the user types. */
function showProblem(
  input: HTMLInputElement,
  noteId: string,
  validate: (value: string) => true | string,
): void {
  const note = document.getElementById(noteId);
  const show = () => {
    const valid = validate(input.value);
    if (note !== null) note.textContent = valid === true ? '' : valid;
  };
  $(input).on('input change', show);
  show();
}

/** Shows the fields of the selected service, the problem of its URL, and the host that receives the texts. */
function showService(isHosted: boolean, url: string, node: EditorNode): void {
  for (const row of document.querySelectorAll<HTMLElement>('.herald-hosted')) row.hidden = !isHosted;
  const console = document.getElementById('herald-console-row');
  if (console !== null) console.hidden = isHosted;
  placeTest(isHosted ? 'apiKey' : 'service');
  const problem = isHosted ? urlProblem(url) : undefined;
  setText('herald-url-problem', problem === undefined || problem === 'url-blank' ? '' : node._(problem));
  const voice = field('voice_id', HTMLInputElement);
  voice.placeholder = node._(isHosted ? 'voice.blank-hosted' : 'voice.blank-local');
  const host = problem === undefined ? hostOf(url.trim()) : node._('sent.the-service');
  setText('herald-where', isHosted ? node._('sent.hosted', { host }) : node._('sent.local'));
}

/** Puts "Test" beside a field: the key, or the service if it needs no key. */
function placeTest(id: string): void {
  const pressed = document.getElementById('herald-test');
  const row = document.getElementById(`node-config-input-${id}`)?.closest('.form-row');
  if (pressed === null || !row) return;
  pressed.parentElement?.classList.remove('herald-with-button');
  row.classList.add('herald-with-button');
  row.append(pressed);
}

function setText(id: string, text: string): void {
  const place = document.getElementById(id);
  if (place !== null) place.textContent = text;
}

/** Fills the list of common rates. The input of the saved property is visible for any other rate. */
function prepareRate(node: EditorNode): void {
  const rate = field('requestsPerMinute', HTMLInputElement);
  const list = field('rate', HTMLSelectElement);
  const listed = [...list.options].map(({ value }) => value);
  if (rate.value === '') rate.value = 'auto';
  list.value = listed.includes(rate.value) ? rate.value : 'other';
  rate.hidden = list.value !== 'other';
  showProblem(rate, 'herald-rate-problem', (value) => validateRate(node, value));
  list.addEventListener('change', () => {
    const isOther = list.value === 'other';
    rate.hidden = !isOther;
    rate.value = isOther ? '' : list.value;
    if (isOther) rate.focus();
    $(rate).trigger('change');
  });
}

/** Shows the problems of the limits. Opens their fold if a limit is set, and restores the default of older accounts. */
function prepareLimits(node: EditorNode): void {
  const hash = field('replaceHash', HTMLInputElement);
  if (node['replaceHash'] === undefined) hash.checked = true;
  const names = Object.keys(LIMITS).filter(isLimitName);
  for (const name of names) {
    const input = field(name, HTMLInputElement);
    showProblem(input, `herald-${name}-problem`, (value) => validateLimit(node, name, value));
  }
  const fold = document.getElementById('herald-limits');
  const isSet = !hash.checked || names.some((name) => field(name, HTMLInputElement).value !== '');
  if (fold instanceof HTMLDetailsElement) fold.open = isSet;
}

/** Returns the account's label: its name, or the service that it uses. */
export function accountLabel(node: EditorNode): string {
  const host = node['service'] === 'hosted' ? hostOf(textOf(node['url'])) : node._('service.local');
  return textOf(node['name']) || host || node._('label');
}
