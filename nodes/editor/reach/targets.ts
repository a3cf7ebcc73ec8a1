/** The list "Play on": this browser, the flow, and the speakers, known or found. */
import { element } from '@herald-speech/browser';
import { speakerFacts, type ListedSpeaker, listedSpeakers } from '../speakers/listed.js';

export const BROWSER = 'browser';
const FLOW = 'flow';

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

/** Shows the speakers in place of earlier ones. Keeps the selection. Returns their number. */
export function showSpeakers(list: HTMLSelectElement, node: EditorNode): number {
  const { value } = list;
  list.querySelector('optgroup')?.remove();
  const speakers = listedSpeakers();
  if (speakers.length === 0) return 0;
  const options = speakers.map((one) => {
    const facts = speakerFacts(one, node);
    return element('option', { value: one.key }, facts === '' ? one.name : `${one.name} (${facts})`);
  });
  list.append(element('optgroup', { label: node._('reach.speakers') }, ...options));
  if ([...list.options].some((option) => option.value === value)) list.value = value;
  return speakers.length;
}

/** Returns the selected speaker; undefined for the browser and the flow. */
export const selectedSpeaker = ({ value }: HTMLSelectElement): ListedSpeaker | undefined =>
  listedSpeakers().find(({ key }) => key === value);
