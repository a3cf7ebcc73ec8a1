/** The dialog of a speaker. */
import { byId, element, textOf, whileBusy } from '@herald-speech/browser';
import { showStatus } from '../lib/dom.js';
import { errorText } from '../lib/runtime.js';
import { kindText } from './listed.js';
import { speakerSearch } from './search.js';
import { playersOfAny, playTestSound, type SpeakerTarget } from './test-sound.js';

/** The placeholder that Node-RED shows for a stored credential. */
const STORED = '__PWRD__';
/** Examples of addresses by kind. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'home-assistant': 'http://homeassistant.local:8123/media_player.kitchen',
  mopidy: '192.168.1.7:6680',
  mpd: '192.168.1.7:6600',
  snapcast: '192.168.1.7:1705/4dcc4e3b',
};
const EXAMPLE = '192.168.1.7';
/** The kinds with a password or a token. */
const SECRET: readonly string[] = ['home-assistant', 'mpd'];
const FIELDS = ['name', 'kind', 'address', 'identity', 'max_volume', 'wake_up', 'secret'] as const;

/** Prepares the dialog when Node-RED opens it (`oneditprepare`). */
export function prepareSpeaker(node: EditorNode): void {
  const kind = kindField();
  const saved = textOf(node['kind']);
  const kinds = (kind.dataset['kinds'] ?? '').split(' ');
  const offered = saved === '' || kinds.includes(saved) ? kinds : [...kinds, saved];
  kind.append(...offered.map((value) => element('option', { value }, kindText(value, node))));
  kind.value = saved || 'mpd';
  const show = () => showKind(kind.value, node);
  kind.addEventListener('change', show);
  show();
  offerFound(kind);
  forgetIdentity();
  prepareTest(node);
}

/** Shows the rows and the example of a kind. */
function showKind(kind: string, node: EditorNode): void {
  const row = field('secret').closest<HTMLElement>('.form-row');
  if (row !== null) row.hidden = !SECRET.includes(kind);
  const address = field('address');
  address.placeholder = kind === 'computer' ? node._('address.computer') : (EXAMPLES[kind] ?? EXAMPLE);
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

function prepareTest(node: EditorNode): void {
  const pressed = byId('herald-speaker-test', HTMLButtonElement);
  const note = byId('herald-speaker-result', HTMLElement);
  pressed.addEventListener(
    'click',
    () =>
      void whileBusy(pressed, async () => {
        const speaker = speakerAsTyped(node);
        showStatus(note, node._('speakers.testing', { name: speaker['name'] }));
        try {
          showStatus(note, await playTestSound(speaker, playersOfAny(), node));
        } catch (error) {
          showStatus(note, errorText(error, node), true);
        }
      }),
  );
}

/** Returns the speaker with the values in the open dialog. Without a newly typed secret, the runtime uses the stored one. */
function speakerAsTyped({ id }: EditorNode): SpeakerTarget {
  const typed = Object.fromEntries(FIELDS.map((name) => [name, valueOf(name)]));
  const { secret, name, address, ...others } = typed;
  const isTyped = secret !== undefined && secret !== '' && secret !== STORED;
  return { id, ...others, address: address ?? '', name: name || address || id, ...(isTyped && { secret }) };
}

const valueOf = (name: (typeof FIELDS)[number]): string =>
  (name === 'kind' ? kindField() : field(name)).value.trim();

const kindField = (): HTMLSelectElement => byId('node-config-input-kind', HTMLSelectElement);

const field = (name: string): HTMLInputElement => byId(`node-config-input-${name}`, HTMLInputElement);

/** Validates a number of a speaker. A blank value means the default. */
export function validateSpeakerNumber(
  node: EditorNode,
  field: 'max_volume' | 'wake_up',
  value: unknown,
  max: number,
): true | string {
  const number = Number(value ?? '');
  if (number >= 0 && number <= max) return true;
  return node._('number', { field: node._(field === 'wake_up' ? 'wake_up.label' : field), max });
}
