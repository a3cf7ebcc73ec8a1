/** The second page of the voice picker: natural voices that the user can install. */
import {
  debounced,
  element,
  hasWords,
  ImportBox,
  NativeBox,
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
import { naturalRow } from './natural-row.js';
import { importServiceOf, nativeServiceOf } from './requests.js';
import { surfaceOf } from './surface.js';

/** Milliseconds without input before the search starts. */
const PAUSE_MS = 250;

export interface NaturalPanelOptions {
  node: EditorNode;
  target: Target;
  /** The language of the form, whose voices come first; '' for the user's language. */
  language: string;
  /** The language that the picker shows; '' for all. */
  filter: string;
  choose(voice: Voice): void;
  /** Returns to the voices of the picker. */
  back(): void;
}

/** Creates the page and requests the natural voices. */
export function openNaturalPanel(options: NaturalPanelOptions): HTMLElement {
  const { node, target, back } = options;
  const elements = elementsFor(options);
  const { search, language, hints, status, list, elsewhere } = elements;
  const surface = surfaceOf(node);
  const reload = () => load(shown);
  const fold: ImportBox = new ImportBox(surface, importServiceOf(target), reload);
  const native = new NativeBox(surface, nativeServiceOf(target), reload);
  const shown: Page = { options, elements, fold, rows: [] };
  const heading = headingOf(node, back);
  const page = element(
    'div',
    { className: 'herald-natural' },
    heading,
    hints,
    search,
    language,
    status,
    elsewhere,
    list,
    native.element,
    fold.element,
  );
  page.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    back();
  });
  listen(shown);
  void load(shown);
  // A service without such a runtime shows no box.
  void native.show().catch(() => undefined);
  return page;
}

/** The title of the page, beside a button that leaves it. */
function headingOf(node: EditorNode, back: () => void): HTMLElement {
  const leave = button(
    { className: 'red-ui-button-small' },
    icon('chevron-left'),
    ` ${node._('picker.natural.back')}`,
  );
  leave.addEventListener('click', back);
  const title = element('strong', {}, node._('picker.natural.title'));
  return element('div', { className: 'herald-natural-heading' }, leave, title);
}

interface Page {
  options: NaturalPanelOptions;
  elements: Elements;
  fold: ImportBox;
  /** The voices of the latest reply. */
  rows: readonly Row[];
}

interface Elements {
  search: HTMLInputElement;
  language: HTMLSelectElement;
  hints: HTMLElement;
  status: HTMLElement;
  /** Shows the voices of other languages. */
  elsewhere: HTMLButtonElement;
  list: HTMLElement;
}

function elementsFor({ node, filter }: NaturalPanelOptions): Elements {
  const label = node._('picker.natural.search');
  const named = { placeholder: label, ariaLabel: label };
  const any = node._('picker.any.language');
  const language = element('select', { ariaLabel: any }, element('option', { value: '' }, any));
  if (filter !== '') language.append(optionOf(filter));
  language.value = filter;
  return {
    search: element('input', { type: 'search', className: 'herald-search', ...named }),
    language,
    hints: element('div', { className: 'herald-natural-hints' }),
    status: element('p', { className: 'herald-note', role: 'status' }, node._('picker.looking')),
    elsewhere: button({ className: 'red-ui-button-small herald-natural-elsewhere' }),
    list: element('ul', { className: 'herald-natural-list', ariaLabel: node._('picker.natural.title') }),
  };
}

const optionOf = (value: string): HTMLOptionElement => element('option', { value }, languageName(value));

/** Loads the voices and shows them. Called again, keeps the words and the language of the search. */
async function load(page: Page): Promise<void> {
  const { options, elements, fold } = page;
  const { node, target } = options;
  try {
    const found = naturalList(await callRuntime('natural-voices', target));
    addLanguages(elements.language, found.voices);
    elements.hints.replaceChildren(...engineHint(found, node));
    const rows = rowsOf(found, page, () => elements.list.isConnected && page.rows === rows);
    page.rows = rows;
    showRows(page);
    fold.show(found);
  } catch (error) {
    showStatus(elements.status, errorText(error, node), true);
  }
}

/** Returns a note with the fix if the engine is missing or the folder is read-only; otherwise the introduction. */
function engineHint(list: NaturalList, node: EditorNode): HTMLElement[] {
  const { isEngineInstalled, command, folder, isWritable } = list;
  if (!isEngineInstalled)
    return [
      note(whereToRun(list, node)),
      element('p', {}, element('code', { className: 'herald-command', tabIndex: 0 }, command)),
      note(node._('picker.natural.again')),
    ];
  if (!isWritable) return [note(node._('picker.natural.read-only', { folder }))];
  return [element('p', { className: 'herald-note' }, node._('picker.natural.intro'))];
}

function whereToRun({ userDir }: NaturalList, node: EditorNode): string {
  if (userDir === '') return node._('picker.natural.no-engine-elsewhere');
  return node._('picker.natural.no-engine', { folder: userDir });
}

const note = (text: string) => element('p', { className: 'herald-note herald-problem' }, text);

/** Searches at each input. */
function listen(page: Page): void {
  const { search, language, elsewhere } = page.elements;
  const show = () => showRows(page);
  search.addEventListener('input', debounced(show, PAUSE_MS));
  language.addEventListener('change', show);
  elsewhere.addEventListener('click', () => {
    language.value = '';
    show();
    search.focus();
  });
}

/** Returns the place of a language in the list: the language of the form, then the languages of the user, then the others. */
function rankOf(code: string, { language }: NaturalPanelOptions): number {
  const place = [language, ...userLanguages()].indexOf(code);
  return place === -1 ? Infinity : place;
}

/** Adds the languages of the voices, by name. */
function addLanguages(list: HTMLSelectElement, voices: readonly NaturalVoice[]): void {
  const codes = [...new Set(voices.map(({ language }) => language))].filter((code) => !has(list, code));
  const options = codes.map(optionOf);
  list.append(...options.sort((one, other) => one.text.localeCompare(other.text)));
}

const has = ({ options }: HTMLSelectElement, code: string) =>
  [...options].some(({ value }) => value === code);

/** A row with the text that a search looks through. A row keeps its state while it is filtered out. */
interface Row {
  item: HTMLElement;
  voice: NaturalVoice;
  text: string;
}

function rowsOf(found: NaturalList, { options, fold }: Page, isOpen: () => boolean): Row[] {
  const { node, target, choose } = options;
  const canChange = found.isEngineInstalled && found.isWritable;
  const context = { node, target, canChange, isOpen, choose, offerImport: () => fold.open() };
  const first = (voice: NaturalVoice) => (voice.job?.isDone === false ? 0 : voice.installed ? 1 : 2);
  // Two infinite ranks have no difference.
  const byRank = (one: string, other: string) => rankOf(one, options) - rankOf(other, options) || 0;
  return [...found.voices]
    .sort((one, other) => first(one) - first(other) || byRank(one.language, other.language))
    .map((voice) => ({
      voice,
      text: `${voice.title} ${voice.name} ${languageName(voice.language, 'en')} ${factsOf(voice, node)}`,
      item: naturalRow(voice, context),
    }));
}

/** Shows the voices with the words and the language of the search. Without one, or for words, offers those of other languages. */
function showRows({ rows, elements, options: { node } }: Page): void {
  const { search, language, status, list, elsewhere } = elements;
  stopSound();
  const found = rows.filter(({ text }) => hasWords(text, search.value));
  const shown = found.filter(({ voice }) => language.value === '' || voice.language === language.value);
  list.replaceChildren(...shown.map(({ item }) => item));
  const count = shown.length;
  showStatus(status, count === 0 ? node._('picker.none') : node._('picker.found', { count }));
  const others = found.length - count;
  elsewhere.hidden = others === 0 || (count > 0 && search.value.trim() === '');
  elsewhere.textContent = node._('picker.natural.elsewhere', { count: others });
}
