/** The Wyoming servers of the network, which the field of the address offers by name. */
import { element, fieldsOf, listOf, textOf } from '@herald-speech/browser';
import { setText } from '../lib/field-note.js';
import { button } from '../lib/dom.js';
import { readRuntime } from '../lib/runtime.js';

/** A server of the network. */
interface FoundServer {
  name: string;
  /** `tcp://HOST:PORT`. */
  address: string;
}

/**
 * Searches when the user first enters the field. A click on a found server, or its typed name, enters its address. Without a server, the
 * user types an address.
 */
export function prepareFoundServers(address: HTMLInputElement, node: EditorNode): void {
  let found: FoundServer[] | undefined;
  const search = async () => {
    if (found !== undefined) return;
    found = [];
    setText('herald-address-state', node._('address.searching'));
    try {
      const { servers } = await readRuntime('wyoming-servers');
      // The search can outlive its dialog, and the next dialog has the same ids.
      if (!address.isConnected) return;
      found = listOf(servers).map(fieldsOf).map(serverIn);
      offer(found, address, node);
    } catch {
      if (!address.isConnected) return;
      found = undefined;
      setText('herald-address-state', '');
    }
  };
  address.addEventListener('focus', () => void search());
  address.addEventListener('change', () => {
    const typed = address.value.trim().toLowerCase();
    const named = found?.find(({ name }) => name.toLowerCase() === typed);
    if (named !== undefined) enter(address, named);
  });
}

const serverIn = (fields: Record<string, unknown>): FoundServer => ({
  name: textOf(fields['name']),
  address: textOf(fields['address']),
});

function enter(field: HTMLInputElement, { address }: FoundServer): void {
  field.value = address;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  $(field).trigger('change');
}

/** Offers the servers in the list of the field, and as buttons below it. */
function offer(found: readonly FoundServer[], field: HTMLInputElement, node: EditorNode): void {
  const list = document.getElementById('herald-wyoming-servers');
  list?.replaceChildren(
    ...found.map(({ name, address }) => element('option', { value: address, label: name })),
  );
  setText('herald-address-state', node._(found.length === 0 ? 'address.none' : 'address.found'));
  const buttons = found.map((server) => serverButton(server, field));
  document.getElementById('herald-address-state')?.append(...buttons.flatMap((each) => [' ', each]));
}

/** Creates a button with the name and the address of a server. It is pressed while the field has this address. */
function serverButton(server: FoundServer, field: HTMLInputElement): HTMLButtonElement {
  const className = 'red-ui-button-small herald-found-server';
  const choice = button({ className }, element('strong', {}, server.name), ` ${server.address}`);
  const show = () => {
    choice.ariaPressed = String(field.value.trim() === server.address);
  };
  choice.addEventListener('click', () => enter(field, server));
  field.addEventListener('input', show);
  show();
  return choice;
}
