/** Validators of the account's saved properties. Each returns true or a localized problem. */
import { textOf } from '@herald-speech/browser';
import { type ServiceFacts, serviceFacts } from '../lib/services.js';
import { serviceOf } from '../lib/runtime.js';
import { urlProblem, withScheme } from '../lib/typed-text.js';
import {
  addressProblem,
  audioUrlProblem,
  BUDGETS,
  fleetUrlProblem,
  isAddress,
  isLanguage,
  isLimit,
  isRate,
  type Limit,
  LIMITS,
} from './account-values.js';
import { pronunciationProblem, pronunciationsIn } from './pronunciation-values.js';

/** Validates the base URL of a service over HTTP. */
export function validateUrl(node: EditorNode, value: unknown): true | string {
  const problem = factsIn(node).addressIn === 'url' ? urlProblem(textOf(value)) : undefined;
  return problem === undefined || node._(problem, { url: withScheme(textOf(value)) });
}

/** Validates the key of a service. */
export function validateKey(node: EditorNode, value: unknown): true | string {
  return !factsIn(node).isKeyRequired || textOf(value).trim() !== '' || node._('key.blank');
}

/** Validates the address of a Wyoming server. */
export function validateAddress(node: EditorNode, value: unknown): true | string {
  const problem = factsIn(node).addressIn === 'address' ? addressProblem(textOf(value)) : undefined;
  return problem === undefined || node._(problem);
}

/** Validates the address of Redis, which only an account of a remote service uses. */
export function validateFleetUrl(node: EditorNode, value: unknown): true | string {
  const problem = factsIn(node).isRemote ? fleetUrlProblem(textOf(value)) : undefined;
  return problem === undefined || node._(problem);
}

/** Validates the base URL for players. */
export function validateAudioUrl(node: EditorNode, value: unknown): true | string {
  const problem = audioUrlProblem(textOf(value));
  return problem === undefined || node._(problem, { url: withScheme(textOf(value)) });
}

/** Validates the address of the audio port. */
export function validateAudioHost(node: EditorNode, value: unknown): true | string {
  return isAddress(value) || node._('audioHost.wrong');
}

/** If the dialog is open, its service counts, not the saved one. */
function factsIn(node: EditorNode): ServiceFacts {
  const open = document.getElementById('node-config-input-service');
  return serviceFacts(open instanceof HTMLSelectElement ? open.value : serviceOf(node));
}

/** Validates the consent to access from the network. */
export function validateConsent(node: EditorNode, value: unknown): true | string {
  const open = document.getElementById('node-config-input-programs');
  const access = open instanceof HTMLSelectElement ? open.value : textOf(node['programs']);
  const box = document.getElementById('node-config-input-programsConsent');
  const isGiven = box instanceof HTMLInputElement ? box.checked : value === true;
  return access !== 'network' || isGiven || node._('programsConsent.missing');
}

/** Validates the requests per minute. */
export function validateRate(node: EditorNode, value: unknown): true | string {
  return isRate(value) || node._('rate.wrong');
}

/** Validates the default language. */
export function validateLanguage(node: EditorNode, value: unknown): true | string {
  return isLanguage(value) || node._('language.wrong');
}

/** Validates the saved pronunciations. */
export function validatePronunciations(node: EditorNode, value: unknown): true | string {
  return pronunciationProblem(pronunciationsIn(value), node) ?? true;
}

/** The localized rule of each kind of number. */
const RULES = {
  whole: 'limits.whole',
  seconds: 'limits.seconds',
  positive: 'limits.positive',
  amount: 'limits.amount',
  port: 'limits.port',
  characters: 'limits.characters',
} as const;

/** Validates a number. A budget in credits needs the price of a second. */
export function validateLimit(node: EditorNode, value: unknown, limit: Limit): true | string {
  const field = node._(`${limit}.label`);
  if (!isLimit(limit, value)) return node._(RULES[LIMITS[limit]], { field });
  const isMissing = limit === 'creditsPerSecond' && textOf(value) === '' && hasCreditBudget(node);
  return !isMissing || node._('budget.price', { field });
}

function hasCreditBudget(node: EditorNode): boolean {
  const current = (name: string) => {
    const open = document.getElementById(`node-config-input-${name}`);
    const isOpen = open instanceof HTMLSelectElement || open instanceof HTMLInputElement;
    return isOpen ? open.value.trim() : textOf(node[name]);
  };
  const isLimited = Object.keys(BUDGETS).some((name) => current(name) !== '');
  return isLimited && current('budgetUnit') === 'credits';
}
