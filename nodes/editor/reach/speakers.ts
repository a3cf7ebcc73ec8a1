/** The list "Play on": this browser, the flow, and the speakers that a search has found. */
import { element, type Fields, fieldsOf, textOf } from '@herald-speech/browser';

export const BROWSER = 'browser';
export const FLOW = 'flow';

interface Speaker {
  id: string;
  name: string;
  address: string;
}

/** Creates the list without speakers. */
export function targetList(node: EditorNode): HTMLSelectElement {
  const option = (value: string, text: string) => element('option', { value }, text);
  return element(
    'select',
    { ariaLabel: node._('reach.play-on') },
    option(BROWSER, node._('reach.browser')),
    option(FLOW, node._('reach.flow')),
  );
}

/** Shows the speakers of a reply in place of earlier ones, and selects the first speaker. Returns their number. */
export function showSpeakers(list: HTMLSelectElement, reply: Fields, node: EditorNode): number {
  list.querySelector('optgroup')?.remove();
  const found: unknown = reply['speakers'];
  const speakers = (Array.isArray(found) ? found : []).map(speakerIn);
  const [first] = speakers;
  if (first === undefined) return 0;
  const group = element('optgroup', { label: node._('reach.speakers') });
  group.append(
    ...speakers.map(({ id, name, address }) => element('option', { value: id }, `${name} (${address})`)),
  );
  list.append(group);
  list.value = first.id;
  return speakers.length;
}

function speakerIn(value: unknown): Speaker {
  const fields = fieldsOf(value);
  return {
    id: textOf(fields['id']),
    name: textOf(fields['name']),
    address: textOf(fields['address']),
  };
}
