/** The voice picker: searches, filters, plays and chooses voices. */
import {
  choicesOf,
  type Combination,
  debounced,
  element,
  type Facet,
  type Fields,
  FACETS,
  type VoiceFilters,
  filtersOf,
  matchesFilters,
  searchNames,
  type Voice,
  voicesIn,
  withoutRegion,
} from '@herald-speech/browser';
import { reveal, showStatus } from '../lib/dom.js';
import { callRuntime, errorText, type Target } from '../lib/runtime.js';
import { stopSound, toggleSound } from '../lib/sound.js';
import { editorLanguage, nameOf } from '../lib/languages.js';
import { addMoreVoices } from '../natural/more-voices.js';
import { moveByKeys, reachByTab } from './list-keys.js';
import { countText, soundHint, voiceRows } from './voice-list.js';
import { soundOf } from './voice-sound.js';

/** Milliseconds without input before the search starts. */
const PAUSE_MS = 250;

export interface PanelOptions {
  node: EditorNode;
  target: Target;
  /** The library: `all`, `preset` or `own`. */
  library: string;
  /** The saved voice id. */
  selected: string;
  chosen: Readonly<Partial<Combination>>;
  choose(voice: Voice): void;
  /** Called when the user leaves the page of natural voices. */
  changed(): void;
  close(): void;
}

/** Creates the panel and requests the voices. */
export function openPanel(options: PanelOptions): HTMLElement {
  const { node, close } = options;
  const elements = elementsFor(options);
  const { search, facets, status, list } = elements;
  const filters = element('div', { className: 'herald-facets' }, ...facets);
  const panel = element('div', { className: 'herald-picker' }, search, filters, status, list);
  panel.role = 'group';
  panel.ariaLabel = node._('picker.open');
  const results = new Results(options, elements);
  // A second search with the same text would take the focus from a voice.
  const searchSoon = debounced(() => void results.searchNow(), PAUSE_MS);
  search.addEventListener('input', searchSoon);
  for (const facet of facets) facet.addEventListener('change', () => results.update());
  moveByKeys(panel, { search, startSearch: () => results.searchNow() }, close);
  const filter = () => facets.find(({ dataset }) => dataset['facet'] === 'language')?.value ?? '';
  if (options.library !== 'own') addMore(panel, options, filter, results);
  void results.open();
  return panel;
}

function addMore(panel: HTMLElement, options: PanelOptions, filter: () => string, results: Results): void {
  const { node, target, chosen, choose, changed } = options;
  const language = () => chosen.language || target.typed['language'] || '';
  const refresh = () => {
    void results.open();
    changed();
  };
  addMoreVoices({ node, target, panel, language, filter, choose, refresh });
}

function elementsFor({ node, chosen }: PanelOptions): Elements {
  const label = node._('picker.search');
  const code = withoutRegion(chosen.language ?? '');
  const named = { placeholder: label, ariaLabel: label };
  return {
    search: element('input', { type: 'search', className: 'herald-search', ...named }),
    facets: LISTS.map((facet) => facetList(facet, facet === 'language' ? code : '', node)),
    status: element('p', { className: 'herald-note', role: 'status' }, node._('picker.looking')),
    list: element('ul', { className: 'herald-voices', ariaLabel: node._('picker.voices') }),
  };
}

/** The filter lists of the panel. */
const ANY = {
  language: 'picker.any.language',
  gender: 'picker.any.gender',
  age: 'picker.any.age',
  use_case: 'picker.any.use_case',
  style: 'picker.any.style',
} satisfies Partial<Record<Facet, string>>;

type List = keyof typeof ANY;
const LISTS = FACETS.filter((facet): facet is List => facet in ANY);

function facetList(facet: List, selected = '', node: EditorNode): HTMLSelectElement {
  const any = node._(ANY[facet]);
  const list = element('select', { ariaLabel: any }, element('option', { value: '' }, any));
  list.dataset['facet'] = facet;
  if (selected !== '') list.append(optionOf(facet, selected));
  list.value = selected;
  return list;
}

const optionOf = (facet: Facet, value: string): HTMLOptionElement =>
  element('option', { value }, nameOf(facet, value));

interface Elements {
  search: HTMLInputElement;
  facets: readonly HTMLSelectElement[];
  status: HTMLElement;
  list: HTMLElement;
}

/**
 * Returns the custom voices and the voices of one language first: the language of the form, or else of the selected voice, of the
 * account, of its default voice, or of the editor.
 */
function inOrder(voices: readonly Voice[], { target, selected, chosen }: PanelOptions): Voice[] {
  const { language: default_language, voice_id: default_voice } = target.typed;
  const spokenBy = (id = '') => voices.find(({ voice_id }) => voice_id === id)?.language[0];
  const wanted =
    chosen.language || spokenBy(selected) || default_language || spokenBy(default_voice) || editorLanguage();
  const isFirst = ({ own, language }: Voice) => own || language.includes(withoutRegion(wanted));
  return [...voices.filter(isFirst), ...voices.filter((voice) => !isFirst(voice))];
}

/** The loaded voices and the rows that show them. */
class Results {
  /** Undefined before the first reply. */
  private voices: readonly Voice[] | undefined;
  /** Whether the service has more voices than are loaded. Then the service searches, otherwise the browser. */
  private isPart = false;
  /** Number of searches so far; only the reply to the latest one is shown. */
  private searches = 0;
  /** The filters of the latest search. */
  private applied = '';

  constructor(
    private readonly options: PanelOptions,
    private readonly elements: Elements,
  ) {}

  /** Applies the filters at once, without the pause of typing. Returns false if they are applied already. */
  searchNow(): boolean {
    if (this.applied === JSON.stringify(this.filters())) return false;
    this.update();
    return true;
  }

  /** Applies the filters: to the loaded voices, or in a new search if only a part is loaded. */
  update(): void {
    this.applied = JSON.stringify(this.filters());
    if (this.isPart) void this.search(filtersOf(this.filters(), this.known(), searchNames(RED.i18n.lang())));
    else this.show();
  }

  /**
   * Requests all voices. If the service has more than one request returns, searches with the filters of the panel: a
   * preselected language, or a text that the user has typed before the reply.
   */
  async open(): Promise<void> {
    await this.search({});
    const selected = this.elements.list.querySelector("[aria-current='true']");
    if (selected !== null) reveal(selected);
    if (this.isPart && Object.values(this.filters()).some(Boolean)) this.update();
  }

  private known(): Readonly<Partial<Record<Facet, string[]>>> {
    const values = ({ options }: HTMLSelectElement) => [...options].map(({ value }) => value).filter(Boolean);
    return Object.fromEntries(this.elements.facets.map((list) => [list.dataset['facet'], values(list)]));
  }

  /** Requests voices and shows them or the error. */
  async search(filters: VoiceFilters): Promise<void> {
    this.applied ||= JSON.stringify(this.filters());
    const { target, library, node } = this.options;
    this.searches += 1;
    const current = this.searches;
    const { text: name, ...facets } = filters;
    const active = Object.entries({ name, ...facets }).filter(([, value]) => value);
    try {
      const request = { ...target, library, filters: Object.fromEntries(active) };
      const { voices, more } = voicesIn(await callRuntime('voices', request));
      if (current !== this.searches) return;
      this.voices = inOrder(voices, this.options);
      this.isPart ||= more;
      this.addChoices(voices);
      this.show();
    } catch (error) {
      if (current !== this.searches) return;
      showStatus(this.elements.status, `${errorText(error, node)} ${node._('picker.by-hand')}`, true);
    }
  }

  private filters(): VoiceFilters {
    const { search, facets } = this.elements;
    const chosen = facets.map((list): [string, string] => [list.dataset['facet'] ?? '', list.value]);
    return { text: search.value.trim(), ...Object.fromEntries(chosen) };
  }

  /** Adds new values to the filter lists. The selected values stay selected. */
  private addChoices(voices: readonly Voice[]): void {
    for (const facet of LISTS) {
      const list = this.elements.facets.find(({ dataset }) => dataset['facet'] === facet);
      if (list === undefined) continue;
      const known = new Set([...list.options].map(({ value }) => value));
      const added = choicesOf(voices, facet)
        .filter((value) => !known.has(value))
        .map((value) => optionOf(facet, value));
      list.append(...added.sort((one, other) => one.text.localeCompare(other.text)));
      list.hidden = list.options.length < 2;
    }
  }

  /** Shows the voices that match, after the first reply. */
  private show(): void {
    if (this.voices === undefined) return;
    const { list, status } = this.elements;
    const { node, selected, chosen, choose, target } = this.options;
    const filters = this.filters();
    // The service may match other properties than the browser does, so its results are shown unfiltered.
    const found = this.voices.filter(
      (voice) => this.isPart || matchesFilters(voice, filters, searchNames(RED.i18n.lang())),
    );
    const preferred = { ...chosen, ...pick('language', filters), ...pick('style', filters) };
    const play = (voice: Voice, sample: Combination, pressed: HTMLButtonElement) =>
      void this.play(pressed, () => soundOf(voice, sample, target));
    stopSound();
    list.replaceChildren(...voiceRows(found, { node, target, selected, chosen: preferred, choose, play }));
    reachByTab(list, list.firstElementChild);
    const hints = [this.isPart ? node._('picker.part') : '', soundHint(found, target, node)];
    showStatus(status, [countText(found, node), ...hints].filter(Boolean).join(' '));
  }

  private async play(pressed: HTMLButtonElement, load: () => Promise<Fields>): Promise<void> {
    try {
      await toggleSound(pressed, load);
    } catch (error) {
      showStatus(this.elements.status, errorText(error, this.options.node), true);
    }
  }
}

const pick = (facet: 'language' | 'style', filters: VoiceFilters) =>
  filters[facet] ? { [facet]: filters[facet] } : {};
