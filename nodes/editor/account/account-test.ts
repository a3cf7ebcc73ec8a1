/** The account's "Test": connects to the service with the values in the dialog. */
import { element, type Fields, fieldsOf, textOf, textsOf } from '@herald-speech/browser';
import { askFor } from '../lib/field-note.js';
import { reveal } from '../lib/dom.js';
import { numeral } from '../lib/languages.js';
import { field } from './fields.js';
import { validateAddress, validateKey, validateLimit, validateUrl } from './validate-account.js';
import { callRuntime, errorText, sentence, type Target } from '../lib/runtime.js';
import { serviceFacts } from '../lib/services.js';
import { reportOf, type TestLine, well, wrong } from './test-report.js';

/** Returns the account with the values in the open dialog. */
export function accountAsTyped(node: EditorNode): Target {
  const names = [...Object.keys(node._def.defaults), ...Object.keys(node._def.credentials ?? {})];
  const values = names.map((name): [string, string] => [name, valueOf(name)]);
  return { account: node.id, typed: Object.fromEntries(values) };
}

function valueOf(name: string): string {
  const field = document.getElementById(`node-config-input-${name}`);
  const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
  if (field instanceof HTMLInputElement && field.type === 'checkbox') return String(field.checked);
  // Node-RED's list of config nodes has the value "_ADD_" if no node is selected.
  return isField && field.value !== '_ADD_' ? field.value.trim() : '';
}

/** Connects the dialog's button to the test. */
export function prepareTest(node: EditorNode): void {
  const [pressed, place] = ['herald-test', 'herald-test-result'].map((id) => document.getElementById(id));
  if (!(pressed instanceof HTMLButtonElement) || !place) return;
  pressed.addEventListener('click', () => void test(node, pressed, place));
  // The result belongs to the service of the test.
  document.getElementById('node-config-input-service')?.addEventListener('change', () => {
    place.replaceChildren();
    delete place.dataset['state'];
  });
}

/** Tests the service, and Redis if the account shares its limits. Shows the lines of both. */
async function test(node: EditorNode, pressed: HTMLButtonElement, place: HTMLElement): Promise<void> {
  const show = (state: string, lines: readonly TestLine[]) => {
    place.dataset['state'] = state;
    place.replaceChildren(...lines.map(paragraph));
    reveal(place);
  };
  const target = accountAsTyped(node);
  const [fields, price] = [wrongFields(target, node), missingPrice(target, node)];
  if (fields.length > 0 || price !== undefined) {
    show('wrong', price === undefined ? [] : [wrong(price)]);
    // Each problem is below its field.
    return askFor(fields);
  }
  pressed.disabled = true;
  show('busy', [well(node._('test.asking'))]);
  const lines = (await Promise.all([testService(target, node), testFleet(target, node)])).flat();
  show(lines.some(({ isWrong }) => isWrong) ? 'wrong' : 'well', lines);
  pressed.disabled = false;
}

/** Returns the fields of address and key without which the test cannot start. */
function wrongFields({ typed }: Target, node: EditorNode): HTMLInputElement[] {
  const { isRemote, addressIn } = serviceFacts(typed['service']);
  if (!isRemote) return [];
  const validate = addressIn === 'url' ? validateUrl : validateAddress;
  return [
    ...(validate(node, typed[addressIn]) === true ? [] : [field(addressIn, HTMLInputElement)]),
    ...(validateKey(node, typed['apiKey']) === true ? [] : [field('apiKey', HTMLInputElement)]),
  ];
}

/** Returns the text about the missing price of a budget, whose field may be in a closed fold. */
function missingPrice({ typed }: Target, node: EditorNode): string | undefined {
  if (!serviceFacts(typed['service']).isRemote || typed['creditsPerSecond']) return undefined;
  const valid = validateLimit(node, '', 'creditsPerSecond');
  return valid === true ? undefined : valid;
}

const paragraph = ({ text, isWrong }: TestLine): HTMLElement => {
  const line = element('p', {}, text);
  line.dataset['state'] = isWrong ? 'wrong' : 'well';
  return line;
};

async function testService(target: Target, node: EditorNode): Promise<TestLine[]> {
  try {
    const reply = await callRuntime('test', target);
    offerModels(reply);
    return reportOf(reply, target, node);
  } catch (error) {
    return [wrong(errorText(error, node))];
  }
}

/** Offers the models that the service lists, in place of the usual names, in the field of the model. */
function offerModels(reply: Fields): void {
  const models = textsOf(fieldsOf(reply['examined'])['models']);
  if (models.length === 0) return;
  const options = models.map((value) => element('option', { value }));
  document.getElementById('herald-models')?.replaceChildren(...options);
}

/** Tests Redis if the account of a remote service shares its limits. Without it, returns no lines. */
async function testFleet(target: Target, node: EditorNode): Promise<TestLine[]> {
  const { service, fleetUrl } = target.typed;
  if (!serviceFacts(service).isRemote || !fleetUrl) return [];
  try {
    return resultOf(await callRuntime('fleet', target), node);
  } catch (error) {
    return [wrong(errorText(error, node))];
  }
}

/** Returns the line with the figures, and a line for each fault. */
function resultOf(reply: Fields, node: EditorNode): TestLine[] {
  const read = (name: string) => textOf(reply[name]);
  const faults: unknown = reply['problems'];
  const problems = (Array.isArray(faults) ? faults : []).map((fault) => wrong(sentence(textOf(fault))));
  const product = read('product') === 'valkey' ? 'Valkey' : 'Redis';
  const latency = numeral(Number(read('latencyMs')));
  const figures = { product, version: read('version'), latency, members: read('members') };
  return [well(node._('test.redis', figures)), ...problems];
}
