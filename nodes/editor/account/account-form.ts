/** The account's dialog. */
import { languageFor, textOf } from '@herald-speech/browser';
import { setText, showFieldProblem, showRequired } from '../lib/field-note.js';
import { codeOf, namesOf } from '../form/languages/language.js';
import { editorLanguage, languageName } from '../lib/languages.js';
import { defaultService, serviceOf } from '../lib/runtime.js';
import { type ServiceFacts, serviceFacts } from '../lib/services.js';
import { urlProblem } from '../lib/typed-text.js';
import { prepareVoiceField } from '../voices/voice-field.js';
import { accountAsTyped, prepareTest } from './account-test.js';
import { hostOf } from './account-values.js';
import { prepareBudget } from './budget.js';
import { prepareCache } from './cache.js';
import { prepareFallback } from './fallback.js';
import { field, foldOf, limitsIn, prepareNumbers } from './fields.js';
import { prepareFleet } from './fleet.js';
import { preparePlayers } from './players.js';
import { preparePrograms } from './programs.js';
import { pronunciationsIn } from './pronunciation-values.js';
import { preparePronunciations, pronunciationsInDialog } from './pronunciations.js';
import { prepareFoundServers } from './found-servers.js';
import {
  validateAddress,
  validateKey,
  validateLanguage,
  validateRate,
  validateUrl,
} from './validate-account.js';

/** Prepares the dialog when Node-RED opens it (`oneditprepare`). */
export function prepareAccount(node: EditorNode): void {
  prepareService(node);
  prepareRate(node);
  prepareConnection(node);
  prepareLimits(node);
  prepareSpeech(node);
  preparePronunciations(node);
  prepareFallback(node, accountLabel);
  prepareBudget(node);
  prepareCache(node);
  preparePlayers(node);
  prepareFleet(node);
  preparePrograms(node);
  prepareTest(node);
  prepareLanguage(node);
  prepareVoice(node);
  prepareVoiceFold(node);
}

function prepareService(node: EditorNode): void {
  const service = field('service', HTMLSelectElement);
  const url = field('url', HTMLInputElement);
  if (node['service'] === undefined) service.value = serviceOf(node);
  const [address, key] = [field('address', HTMLInputElement), field('apiKey', HTMLInputElement)];
  const show = () => showService(service.value, node);
  service.addEventListener('change', () => {
    show();
    // The validity of these fields depends on the service: the event makes Node-RED validate them again.
    for (const one of [url, address, key, field('fleetUrl', HTMLInputElement)]) $(one).trigger('change');
  });
  for (const one of [url, address]) one.addEventListener('input', show);
  prepareFoundServers(address, node);
  showRequired(url, 'herald-url-problem', (value) => validateUrl(node, value));
  showRequired(address, 'herald-address-problem', (value) => validateAddress(node, value));
  showRequired(key, 'herald-key-problem', (value) => validateKey(node, value));
  show();
  $(url).trigger('change');
}

/** A hosted service shows its address and key first, so its voice and language are in a closed fold. */
function prepareVoiceFold(node: EditorNode): void {
  const fold = foldOf('voice');
  const service = field('service', HTMLSelectElement);
  const show = () => {
    fold.open = !serviceFacts(service.value).isKeyRequired;
  };
  show();
  service.addEventListener('change', show);
  const language = field('language', HTMLInputElement);
  const isWrong = () => validateLanguage(node, language.value) !== true;
  prepareNumbers(fold, () => voiceTexts(language.value.trim()), node, isWrong);
}

function voiceTexts(language: string): string[] {
  const voice = field('voice_id', HTMLInputElement).value.trim();
  return [voice, languageName(language)].filter((text) => text !== '');
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
 * Sets the language of a new account to the language of the editor. Adds names to the offered codes. The user may type a name
 * or any code.
 */
function prepareLanguage(node: EditorNode): void {
  const language = field('language', HTMLInputElement);
  const offered = [...document.querySelectorAll<HTMLOptionElement>('#herald-languages option')];
  const isNew = !RED.nodes.node(node.id);
  if (isNew && offered.some(({ value }) => value === editorLanguage())) language.value = editorLanguage();
  showFieldProblem(language, 'herald-language-problem', (value) => validateLanguage(node, value));
  for (const option of offered) option.label = namesOf(option.value).join(' · ');
  language.addEventListener('change', () => {
    const code = codeOf(language.value);
    if (code === undefined) return;
    language.value = code;
    $(language).trigger('change');
  });
}

/** Shows the fields of the selected service, and the host that receives the texts. */
function showService(service: string, node: EditorNode): void {
  for (const part of document.querySelectorAll<HTMLElement>('.herald-form [data-services]'))
    part.hidden = part.dataset['services']?.split(' ').includes(service) !== true;
  const facts = serviceFacts(service);
  placeTest(facts.hasKey ? 'apiKey' : facts.addressIn || 'service');
  const key = field('apiKey', HTMLInputElement);
  key.placeholder = facts.isKeyRequired ? '' : node._('key.optional');
  const voice = field('voice_id', HTMLInputElement);
  voice.placeholder = node._(blankVoiceKey(facts));
  setText('herald-where', whereText(service, facts, node));
}

/** Returns the key of the text about the voice that speaks if none is chosen. */
function blankVoiceKey({ defaultVoice, isRemote }: ServiceFacts): string {
  if (defaultVoice !== undefined) return 'voice.blank-server';
  return isRemote ? 'voice.blank-hosted' : 'voice.blank-local';
}

/** Returns the text about the receiver of the texts. */
function whereText(service: string, { addressIn }: ServiceFacts, node: EditorNode): string {
  if (addressIn === '') return node._('sent.local');
  const address = field(addressIn, HTMLInputElement).value.trim();
  const isKnown = addressIn === 'url' ? urlProblem(address) === undefined : address !== '';
  return node._(`sent.${service}`, { host: isKnown ? hostOf(address) : node._('sent.the-service') });
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

/** Fills the list of common rates. The input of the saved property is visible for any other rate. */
function prepareRate(node: EditorNode): void {
  const rate = field('requestsPerMinute', HTMLInputElement);
  const list = field('rate', HTMLSelectElement);
  const listed = [...list.options].map(({ value }) => value);
  if (rate.value === '') rate.value = 'auto';
  list.value = listed.includes(rate.value) ? rate.value : 'other';
  rate.hidden = list.value !== 'other';
  showFieldProblem(rate, 'herald-rate-problem', (value) => validateRate(node, value));
  list.addEventListener('change', () => {
    const isOther = list.value === 'other';
    rate.hidden = !isOther;
    rate.value = isOther ? '' : list.value;
    if (isOther) rate.focus();
    $(rate).trigger('change');
  });
}

/** Shows the rate limit, the proxy and the TLS configuration in the summary of their fold. */
function prepareConnection(node: EditorNode): void {
  const fold = foldOf('connection');
  const rate = field('requestsPerMinute', HTMLInputElement);
  const isWrong = () => validateRate(node, rate.value) !== true;
  const update = prepareNumbers(fold, () => connectionTexts(rate.value, node), node, isWrong);
  $(rate).on('change', update);
}

function connectionTexts(rate: string, node: EditorNode): string[] {
  const { typed } = accountAsTyped(node);
  const chosen = ['proxy', 'tls'].filter((name) => typed[name]).map((name) => node._(`${name}.label`));
  return ['', 'auto'].includes(rate) ? chosen : [`${node._('rate.label')}: ${rate}`, ...chosen];
}

/** Shows the problems of the limits, and restores the default of older accounts. */
function prepareLimits(node: EditorNode): void {
  const hash = field('replaceHash', HTMLInputElement);
  if (node['replaceHash'] === undefined) hash.checked = true;
  const fold = foldOf('limits');
  prepareNumbers(fold, () => limitTexts(fold, hash.checked, node), node);
}

function limitTexts(fold: Element, replacesHash: boolean, node: EditorNode): string[] {
  const limits = limitsIn(fold).flatMap((name) => {
    const value = field(name, HTMLInputElement).value.trim();
    return value === '' ? [] : [`${node._(`${name}.label`)}: ${value}`];
  });
  return replacesHash ? limits : [...limits, node._('summary.off', { field: node._('replaceHash.label') })];
}

/** Shows the settings of the requests in the summary of their fold. */
function prepareSpeech(node: EditorNode): void {
  const fold = foldOf('speech');
  const names = ['voices', 'maxTextLength', 'instructions'];
  prepareNumbers(
    fold,
    () => names.map((name) => field(name, HTMLInputElement).value.trim()).filter(Boolean),
    node,
  );
}

/**
 * Saves the values of the table if the user has changed them (`oneditsave`), and the shown service if the flow lacks it and the typed
 * URL means another one.
 */
export function saveAccount(node: EditorNode): void {
  const typed = pronunciationsInDialog();
  if (JSON.stringify(typed) !== JSON.stringify(pronunciationsIn(node['pronunciations'])))
    node['pronunciations'] = typed;
  const service = field('service', HTMLSelectElement).value;
  if (node['service'] === undefined && service !== defaultService(field('url', HTMLInputElement).value))
    node['service'] = service;
}

/** Returns the account's label: its name, or the service that it uses. */
export function accountLabel(node: EditorNode): string {
  const { isRemote, addressIn } = serviceFacts(serviceOf(node));
  const host = isRemote ? hostOf(textOf(node[addressIn])) : node._('service.local');
  return textOf(node['name']) || host || node._('label');
}
