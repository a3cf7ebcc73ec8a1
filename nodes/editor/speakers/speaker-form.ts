/** The dialog of a speaker. */
import { byId, element, textOf, whileBusy } from '@herald-speech/browser';
import { askFor, showFieldProblem, showRequired } from '../lib/field-note.js';
import { reveal, showStatus } from '../lib/dom.js';
import { speakerSearch } from './search.js';
import { SOUND_CARD } from './speaker-address.js';
import {
  addressProblem,
  exampleOf,
  kindText,
  nameOfSpeaker,
  numberProblem,
  type SpeakerNumber,
} from './speaker-values.js';
import { playersOfAny, type SpeakerTarget, testSpeaker } from './test-sound.js';

/** The placeholder that Node-RED shows for a stored credential. */
const STORED = '__PWRD__';
/** The kinds with a password or a token. */
const SECRET: readonly string[] = ['home-assistant', 'mpd'];
const NUMBERS = ['max_volume', 'wake_up'] as const;
const FIELDS = ['name', 'kind', 'address', 'identity', 'max_volume', 'wake_up', 'secret'] as const;

/** Prepares the dialog when Node-RED opens it (`oneditprepare`). */
export function prepareSpeaker(node: EditorNode): void {
  const kind = kindField();
  const saved = textOf(node['kind']);
  const kinds = (kind.dataset['kinds'] ?? '').split(' ');
  const offered = saved === '' || kinds.includes(saved) ? kinds : [...kinds, saved];
  kind.append(...offered.map((value) => element('option', { value }, kindText(value, node))));
  kind.value = saved || 'mpd';
  kind.dataset['node'] = node.id;
  const show = () => showKind(kind.value, node);
  kind.addEventListener('change', () => {
    show();
    // The validity of an address depends on the kind: the event makes Node-RED validate it again.
    $(field('address')).trigger('change');
  });
  show();
  showProblems(node);
  offerFound(kind);
  forgetIdentity();
  prepareTest(node);
}

/** Shows the rows and the example of a kind. */
function showKind(kind: string, node: EditorNode): void {
  const row = field('secret').closest<HTMLElement>('.form-row');
  if (row !== null) row.hidden = !SECRET.includes(kind);
  const address = field('address');
  address.placeholder = kind === SOUND_CARD ? node._('address.computer') : exampleOf(kind);
}

/** Shows the problems of the values below their fields. */
function showProblems(node: EditorNode): void {
  const note = (name: string) => `herald-speaker-${name}-problem`;
  showRequired(field('address'), note('address'), (value) => validateSpeakerAddress(node, value));
  for (const name of NUMBERS)
    showFieldProblem(field(name), note(name), (value) => validateSpeakerNumber(node, name, value));
}

/** Offers the addresses of found speakers of the selected kind. The search starts when the user enters the field. */
function offerFound(kind: HTMLSelectElement): void {
  const address = field('address');
  const list = element('datalist', { id: 'herald-speaker-addresses' });
  address.after(list);
  address.setAttribute('list', list.id);
  const show = () => {
    const found = speakerSearch.found.filter((one) => one.kind === kind.value);
    list.replaceChildren(...found.map((one) => element('option', { value: one.address, label: one.name })));
  };
  const stop = speakerSearch.follow(() => (list.isConnected ? show() : stop()));
  address.addEventListener('focus', () => speakerSearch.start(), { once: true });
  kind.addEventListener('change', show);
  show();
}

/** Another address is another speaker, unless the user chose it from the found ones: then the identity is known. */
function forgetIdentity(): void {
  const [address, identity] = [field('address'), field('identity')];
  address.addEventListener('change', () => {
    const found = speakerSearch.found.find((one) => one.address === address.value.trim());
    identity.value = found?.id ?? '';
  });
}

/** Connects the button to the test sound. A change of a value ends the test: its result belongs to the former values. */
function prepareTest(node: EditorNode): void {
  const pressed = byId('herald-speaker-test', HTMLButtonElement);
  const note = byId('herald-speaker-result', HTMLElement);
  let test = new AbortController();
  pressed.closest('.herald-form')?.addEventListener('input', () => {
    test.abort();
    showStatus(note, '');
  });
  pressed.addEventListener('click', () => {
    void whileBusy(pressed, () => {
      test = new AbortController();
      return testTyped(node, note, test.signal);
    });
  });
}

/** Tests the speaker with the values in the open dialog. */
async function testTyped(node: EditorNode, note: HTMLElement, signal: AbortSignal): Promise<void> {
  const wrong = wrongFields(node);
  const [first] = wrong;
  if (first === undefined)
    return testSpeaker(speakerAsTyped(node), playersOfAny, { note, texts: node, signal });
  showStatus(note, first.problem, true);
  reveal(note);
  askFor(wrong.map(({ input }) => input));
}

/** Returns the fields with problems, and their localized problems. */
function wrongFields(node: EditorNode): { input: HTMLInputElement; problem: string }[] {
  const address = field('address');
  const checked = [
    { input: address, valid: validateSpeakerAddress(node, address.value) },
    ...NUMBERS.map((name) => ({
      input: field(name),
      valid: validateSpeakerNumber(node, name, field(name).value),
    })),
  ];
  return checked.flatMap(({ input, valid }) => (valid === true ? [] : [{ input, problem: valid }]));
}

/** Returns the speaker with the values in the open dialog. Without a newly typed secret, the runtime uses the stored one. */
function speakerAsTyped(node: EditorNode): SpeakerTarget {
  const typed = Object.fromEntries(FIELDS.map((name) => [name, valueOf(name)]));
  const { secret, ...others } = typed;
  const isTyped = secret !== undefined && secret !== '' && secret !== STORED;
  return { id: node.id, ...others, name: nameOfSpeaker(others, node), ...(isTyped && { secret }) };
}

const valueOf = (name: (typeof FIELDS)[number]): string =>
  (name === 'kind' ? kindField() : field(name)).value.trim();

const kindField = (): HTMLSelectElement => byId('node-config-input-kind', HTMLSelectElement);

const field = (name: string): HTMLInputElement => byId(`node-config-input-${name}`, HTMLInputElement);

/** Validates a number of a speaker. A blank value means the default. */
export const validateSpeakerNumber = (node: EditorNode, name: SpeakerNumber, value: unknown): true | string =>
  numberProblem(name, value, node) ?? true;

/** Validates the address of a speaker with the rule of its kind. */
export function validateSpeakerAddress(node: EditorNode, value: unknown): true | string {
  return addressProblem(kindOfOpen(node) ?? textOf(node['kind']), value, node) ?? true;
}

/** Returns the kind that the open dialog of a speaker selects; undefined if the dialog is closed or of another speaker. */
function kindOfOpen({ id }: EditorNode): string | undefined {
  const open = document.getElementById('node-config-input-kind');
  return open instanceof HTMLSelectElement && open.dataset['node'] === id ? open.value : undefined;
}
