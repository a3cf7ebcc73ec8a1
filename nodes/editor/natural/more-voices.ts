/** The button "More voices" of the picker. It opens the page of natural voices in place of the list. */
import { element, type Voice } from '@herald-speech/browser';
import { button } from '../lib/dom.js';
import { callRuntime, type Target } from '../lib/runtime.js';
import { openNaturalPanel } from './natural-panel.js';

export interface MoreVoicesOptions {
  node: EditorNode;
  target: Target;
  /** The panel of the picker. */
  panel: HTMLElement;
  /** Returns the language of the form or of the account; '' if neither has one. */
  language(): string;
  /** Returns the language that the picker shows; '' for all. */
  filter(): string;
  choose(voice: Voice): void;
  /** Reads the voices of the picker again. */
  refresh(): void;
}

/** Adds the button at the end of the panel. A hosted service needs the routes of natural voices, else the button stays hidden. */
export function addMoreVoices(options: MoreVoicesOptions): void {
  const { node, target, panel } = options;
  const more = button({ className: 'red-ui-button-small' }, node._('picker.natural.more'));
  const row = element('div', { className: 'herald-more-voices', hidden: true }, more);
  panel.append(row);
  more.addEventListener('click', () => openPage(more, options));
  if (target.typed['service'] === 'local') row.hidden = false;
  else void offerIfServed(row, target);
}

async function offerIfServed(row: HTMLElement, target: Target): Promise<void> {
  try {
    await callRuntime('natural-voices', target);
    row.hidden = false;
  } catch {
    // The service has no natural voices, or not for this account.
  }
}

function openPage(
  more: HTMLElement,
  { node, target, panel, language, filter, choose, refresh }: MoreVoicesOptions,
): void {
  const list = [...panel.children];
  const back = () => {
    panel.replaceChildren(...list);
    panel.ariaLabel = node._('picker.open');
    refresh();
    more.focus();
  };
  const page = openNaturalPanel({ node, target, language: language(), filter: filter(), choose, back });
  panel.replaceChildren(page);
  panel.ariaLabel = node._('picker.natural.title');
  page.querySelector('input')?.focus();
}
