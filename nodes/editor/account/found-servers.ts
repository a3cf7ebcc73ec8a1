/** The Wyoming servers of the network, which the field of the address offers by name. */
import { element, fieldsOf, listOf, textOf } from '@herald-speech/browser';
import { readRuntime } from '../lib/runtime.js';
import { setText } from './fields.js';

/** Searches when the user first enters the field. Without a server, the user types an address. */
export function prepareFoundServers(address: HTMLInputElement, node: EditorNode): void {
  const list = document.getElementById('herald-wyoming-servers');
  let isAsked = false;
  const search = async () => {
    if (isAsked || list === null) return;
    isAsked = true;
    setText('herald-address-state', node._('address.searching'));
    try {
      const { servers } = await readRuntime('wyoming-servers');
      const found = listOf(servers).map(fieldsOf);
      const names = found.map(({ name }) => textOf(name));
      list.replaceChildren(
        ...found.map(({ name, address: value }) =>
          element('option', { value: textOf(value), label: textOf(name) }),
        ),
      );
      const text = names.length === 0 ? 'address.none' : 'address.found';
      setText('herald-address-state', node._(text, { names: names.join(', ') }));
    } catch {
      isAsked = false;
      setText('herald-address-state', '');
    }
  };
  address.addEventListener('focus', () => void search());
}
