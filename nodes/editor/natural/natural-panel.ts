/** The second page of the voice picker: natural voices that the user can install. */
import {
  debounced,
  element,
  hasWords,
  naturalList,
  type NaturalList,
  type NaturalVoice,
  type Voice,
} from '@herald-speech/browser';
import { button, icon, showStatus } from '../lib/dom.js';
import { languageName, userLanguages } from '../lib/languages.js';
import { callRuntime, errorText, type Target } from '../lib/runtime.js';
import { stopSound } from '../lib/sound.js';
import { factsOf } from './describe.js';
import { engineHint } from './hints.js';
import { naturalRow } from './natural-row.js';

/** Milliseconds without input before the search starts. */
const PAUSE_MS = 250;

export interface NaturalPanelOptions {
  node: EditorNode;
  target: Target;
  /** The language of the form, which the page preselects; '' for the user's language. */
  language: string;
  choose(voice: Voice): void;
  /** Returns to the voices of the picker. */
  back(): void;
}

/** Creates the page and requests the natural voices. */
export function openNaturalPanel(options: NaturalPanelOptions): HTMLElement {
  const { node, back } = options;
  const elements = elementsFor(options);
  const { search, language, hints, status, list } = elements;
  const leave = button(
    { className: 'red-ui-button-small' },
    icon('chevron-left'),
    ` ${node._('picker.natural.back')}`,
  );
  leave.addEventListener('click', back);
  const title = element('strong', {}, node._('picker.natural.title'));
  const heading = element('div', { className: 'herald-natural-heading' }, leave, title);
  const page = element(
    'div',
    { className: 'herald-natural' },
    heading,
    hints,
    search,
    language,
    status,
    list,
  );
  page.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    back();
  });
  void load(options, elements);
  return page;
}

interface Elements {
  search: HTMLInputElement;
  language: HTMLSelectElement;
  hints: HTMLElement;
  status: HTMLElement;
  list: HTMLElement;
}

function elementsFor({ node }: NaturalPanelOptions): Elements {
  const label = node._('picker.natural.search');
  const named = { placeholder: label, ariaLabel: label };
  const any = node._('picker.any.language');
  return {
    search: element('input', { type: 'search', className: 'herald-search', ...named }),
    language: element('select', { ariaLabel: any }, element('option', { value: '' }, any)),
    hints: element('div', { className: 'herald-natural-hints' }),
    status: element('p', { className: 'herald-note', role: 'status' }, node._('picker.looking')),
    list: element('ul', { className: 'herald-natural-list', ariaLabel: node._('picker.natural.title') }),
  };
}

async function load(options: NaturalPanelOptions, elements: Elements): Promise<void> {
  const { node, target } = options;
  const { search, language, hints, status } = elements;
  try {
    const found = naturalList(await callRuntime('natural-voices', target));
    addLanguages(language, found.voices);
    language.value = preselected(found.voices, options);
    hints.replaceChildren(...engineHint(found, node));
    const rows = rowsOf(found, options, () => status.isConnected);
    const update = () => show(rows, elements, node);
    search.addEventListener('input', debounced(update, PAUSE_MS));
    language.addEventListener('change', update);
    update();
  } catch (error) {
    showStatus(status, errorText(error, node), true);
  }
}

/** Returns the language of the form, or without one the first language of the user; '' if it has no voices. */
function preselected(voices: readonly NaturalVoice[], { language }: NaturalPanelOptions): string {
  const known = new Set(voices.map((voice) => voice.language));
  const wanted = language === '' ? userLanguages() : [language];
  return wanted.find((code) => known.has(code)) ?? '';
}

/** Adds the languages of the voices, by name. */
function addLanguages(list: HTMLSelectElement, voices: readonly NaturalVoice[]): void {
  const codes = [...new Set(voices.map(({ language }) => language))];
  const options = codes.map((value) => element('option', { value }, languageName(value)));
  list.append(...options.sort((one, other) => one.text.localeCompare(other.text)));
}

/** A row with the text that a search looks through. A row keeps its state while it is filtered out. */
interface Row {
  item: HTMLElement;
  voice: NaturalVoice;
  text: string;
}

function rowsOf(
  found: NaturalList,
  { node, target, choose }: NaturalPanelOptions,
  isOpen: () => boolean,
): Row[] {
  const canChange = found.isEngineInstalled && found.isWritable;
  const context = { node, target, canChange, isOpen, choose };
  const first = (voice: NaturalVoice) => (voice.job?.isDone === false ? 0 : voice.installed ? 1 : 2);
  return [...found.voices]
    .sort((one, other) => first(one) - first(other))
    .map((voice) => ({
      voice,
      text: `${voice.title} ${voice.name} ${languageName(voice.language, 'en')} ${factsOf(voice, node)}`,
      item: naturalRow(voice, context),
    }));
}

function show(rows: readonly Row[], { search, language, status, list }: Elements, node: EditorNode): void {
  stopSound();
  const shown = rows.filter(
    ({ voice, text }) =>
      (language.value === '' || voice.language === language.value) && hasWords(text, search.value),
  );
  list.replaceChildren(...shown.map(({ item }) => item));
  const count = shown.length;
  showStatus(status, count === 0 ? node._('picker.none') : node._('picker.found', { count }));
}
