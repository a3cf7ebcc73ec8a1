/** The account's section "Connect other programs": the ports of the local service, their addresses, and the key. */
import { debounced, type Fields, fieldsOf, textOf, whileBusy } from '@herald-speech/browser';
import { setText } from '../lib/field-note.js';
import { showStatus } from '../lib/dom.js';
import { callRuntime, errorText } from '../lib/runtime.js';
import { accountAsTyped } from './account-test.js';
import { field, foldOf, numberText, prepareNumbers } from './fields.js';
import { prepareConsole } from './console-button.js';
import { validateConsent } from './validate-account.js';

/** The properties that determine the ports. */
const SETTINGS = ['programs', 'programsConsent', 'programsPort', 'wyoming', 'wyomingPort'];
/** The placeholder that Node-RED shows for a stored credential. */
const STORED = '__PWRD__';
/** Milliseconds after the last key until the section checks the ports. */
const PAUSE_MS = 400;

const input = (name: string): HTMLInputElement => field(name, HTMLInputElement);

/** Shows the fields of the selected access, the addresses, and ports that another program uses. */
export function preparePrograms(node: EditorNode): void {
  const fold = foldOf('programs');
  const access = field('programs', HTMLSelectElement);
  if (access.value === '') access.value = 'off';
  const isWrong = () => validateConsent(node, input('programsConsent').checked) !== true;
  const update = prepareNumbers(fold, () => settings(access.value, node), node, isWrong);
  const check = debounced(() => void showPlace(fold, node), PAUSE_MS);
  const show = () => {
    showRows(access.value);
    showConsent(access.value, node);
    update();
    check();
  };
  fold.addEventListener('input', show);
  fold.addEventListener('change', show);
  prepareCopies(node);
  prepareConsole(node);
  show();
}

/** Shows the rows that the selected access uses. */
function showRows(access: string): void {
  const isOn = access !== 'off';
  const hasWyoming = isOn && input('wyoming').checked;
  showIf(access === 'network', [idOf('programsConsent')]);
  showIf(
    isOn,
    ['programsPort', 'programsUrl', 'programsKey', 'programsVoices', 'wyoming']
      .map(idOf)
      .concat('herald-programsKey-create'),
  );
  showIf(hasWyoming, ['wyomingPort', 'wyomingUrl'].map(idOf));
}

const idOf = (name: string): string => `node-config-input-${name}`;

function showIf(isShown: boolean, ids: readonly string[]): void {
  for (const id of ids) {
    const row = document.getElementById(id)?.closest<HTMLElement>('.form-row');
    if (row) row.hidden = !isShown;
  }
}

/** States which ports are open to the network, and what the key does not protect. */
function showConsent(access: string, node: EditorNode): void {
  if (access !== 'network') return;
  const ports = { port: numberText('programsPort'), wyoming: numberText('wyomingPort') };
  const opens = node._(input('wyoming').checked ? 'programsConsent.wyoming' : 'programsConsent.opens', ports);
  const given = validateConsent(node, undefined);
  const note = document.getElementById('herald-programsConsent-state');
  if (note !== null) showStatus(note, given === true ? opens : `${opens} ${given}`, given !== true);
}

function settings(access: string, node: EditorNode): string[] {
  if (access === 'off') return [];
  const wyoming = input('wyoming').checked ? [`Wyoming: ${numberText('wyomingPort')}`] : [];
  return [`${node._(`programs.${access}`)}: ${numberText('programsPort')}`, ...wyoming];
}

/** Shows the addresses for other programs, and the problems of the ports, as the runtime finds them. */
async function showPlace(fold: Element, node: EditorNode): Promise<void> {
  const typed = typedSettings(node);
  if (!fold.isConnected || typed['programs'] === 'off' || typed['service'] !== 'local') return;
  const isCurrent = () => fold.isConnected && JSON.stringify(typedSettings(node)) === JSON.stringify(typed);
  const { service: _, ...settings } = typed;
  try {
    const reply = await callRuntime('programs', { typed: settings });
    if (isCurrent()) showReply(reply);
  } catch (error) {
    if (!isCurrent()) return;
    showReply({});
    setText('herald-programsPort-problem', errorText(error, node));
  }
}

function typedSettings(node: EditorNode): Record<string, string> {
  const { typed } = accountAsTyped(node);
  return Object.fromEntries(['service', ...SETTINGS].map((name) => [name, typed[name] ?? '']));
}

function showReply(reply: Fields): void {
  input('programsUrl').value = textOf(reply['url']);
  input('wyomingUrl').value = textOf(reply['wyoming']);
  const problems = fieldsOf(reply['problems']);
  for (const name of ['programsPort', 'wyomingPort'])
    if (name in problems) setText(`herald-${name}-problem`, textOf(problems[name]));
}

function prepareCopies(node: EditorNode): void {
  const key = input('programsKey');
  key.readOnly = true;
  onPress('programsUrl', 'copy', async () => copy(input('programsUrl').value, node));
  onPress('wyomingUrl', 'copy', async () => copy(input('wyomingUrl').value, node));
  onPress('programsKey', 'copy', async () => {
    const isStored = key.value === STORED || key.value === '';
    const saved = isStored ? await callRuntime('programs/key', { account: node.id }) : {};
    copy(textOf(saved['key']) || key.value, node);
  });
  onPress('programsKey', 'create', async () => {
    const { key: created } = await callRuntime('programs/create-key', { typed: { service: 'local' } });
    key.value = textOf(created);
    $(key).trigger('change');
    state(node._('programsKey.created'));
  });

  function onPress(name: string, action: string, act: () => Promise<void>): void {
    const pressed = document.getElementById(`herald-${name}-${action}`);
    if (!(pressed instanceof HTMLButtonElement)) return;
    pressed.addEventListener('click', () => void whileBusy(pressed, () => attempt(act)));
  }

  async function attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      state(errorText(error, node), true);
    }
  }
}

function copy(text: string, node: EditorNode): void {
  const isCopied = text !== '' && RED.clipboard.copyText(text);
  state(node._(isCopied ? 'programs.copied' : 'programs.not-copied'), !isCopied);
}

function state(text: string, isProblem = false): void {
  const note = document.getElementById('herald-programsKey-state');
  if (note !== null) showStatus(note, text, isProblem);
}
