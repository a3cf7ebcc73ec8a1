/** The panel that voices are looked for, heard and chosen in. */
import { askRuntime, type Target, wordsOf } from '../ask.js';
import { debounced, element } from '../dom.js';
import { moveByKeys, reachByTab } from './list-keys.js';
import { stopSound, toggleSound } from '../playback/sound.js';
import {
  choicesOf,
  type Combination,
  type Facet,
  FACETS,
  type Filters,
  fits,
  type Voice,
  voicesIn,
} from './voice.js';
import { countOf, voiceRows } from './voice-list.js';

/** From the last letter to the search. */
const PAUSE_MS = 250;

export interface PanelOptions {
  node: EditorNode;
  target: Target;
  /** Which voices: own ones, preset ones or all. */
  library: string;
  /** The voice that is saved. */
  selected: string;
  chosen: Readonly<Partial<Combination>>;
  choose(voice: Voice): void;
  close(): void;
}

/** A panel that is open; it looks for voices at once. */
export function openPanel(options: PanelOptions): HTMLElement {
  const { node } = options;
  const search = element('input', {
    type: 'search',
    className: 'herald-search',
    placeholder: node._('picker.search'),
    ariaLabel: node._('picker.search'),
  });
  const facets = FACETS.map((facet) => facetList(facet, node));
  const status = element('p', { className: 'herald-note', role: 'status' }, node._('picker.looking'));
  const list = element('ul', { className: 'herald-voices', ariaLabel: node._('picker.voices') });
  const filters = element('div', { className: 'herald-facets' }, ...facets);
  const panel = element('div', { className: 'herald-picker' }, search, filters, status, list);
  panel.role = 'group';
  panel.ariaLabel = node._('picker.open');
  const shown = new Shown(options, { search, facets, status, list });
  search.addEventListener(
    'input',
    debounced(() => shown.changed(), PAUSE_MS),
  );
  for (const facet of facets) facet.addEventListener('change', () => shown.changed());
  moveByKeys(panel, search, options.close);
  void shown.look({});
  return panel;
}

const ANY: Readonly<Record<Facet, string>> = {
  language: 'picker.any.language',
  gender: 'picker.any.gender',
  age: 'picker.any.age',
  use_case: 'picker.any.use_case',
  style: 'picker.any.style',
};

function facetList(facet: Facet, node: EditorNode): HTMLSelectElement {
  const any = node._(ANY[facet]);
  const list = element('select', { ariaLabel: any }, element('option', { value: '' }, any));
  list.dataset['facet'] = facet;
  return list;
}

interface Parts {
  search: HTMLInputElement;
  facets: readonly HTMLSelectElement[];
  status: HTMLElement;
  list: HTMLElement;
}

/** What the panel holds and shows. */
class Shown {
  private voices: readonly Voice[] = [];
  /** Whether the service has more than it told: then it has to look itself. */
  private isPart = false;
  /** Of several searches the last one counts. */
  private searches = 0;

  constructor(
    private readonly options: PanelOptions,
    private readonly parts: Parts,
  ) {}

  /** The filters changed: they choose among what is here, or among everything where not all of it is. */
  changed(): void {
    if (this.isPart) void this.look(this.filters());
    else this.show();
  }

  /** Asks for voices, and shows them, or says why there are none. */
  async look(filters: Filters): Promise<void> {
    const { target, library, node } = this.options;
    this.searches += 1;
    const mine = this.searches;
    const { text: name, ...facets } = filters;
    const asked = Object.entries({ name, ...facets }).filter(([, value]) => value);
    try {
      const reply = await askRuntime('voices', { ...target, library, filters: Object.fromEntries(asked) });
      if (mine !== this.searches) return;
      const { voices, more } = voicesIn(reply);
      this.voices = voices;
      this.isPart ||= more;
      this.offer();
      this.show();
    } catch (failure) {
      if (mine !== this.searches) return;
      this.parts.status.classList.add('herald-problem');
      this.parts.status.textContent = `${wordsOf(failure, node)} ${node._('picker.by-hand')}`;
    }
  }

  private filters(): Filters {
    const { search, facets } = this.parts;
    const chosen = facets.map((list): [string, string] => [list.dataset['facet'] ?? '', list.value]);
    return { text: search.value.trim(), ...Object.fromEntries(chosen) };
  }

  /** Fills the lists with what there is; what was chosen stays. */
  private offer(): void {
    for (const facet of FACETS) {
      const list = this.parts.facets.find(({ dataset }) => dataset['facet'] === facet);
      if (list === undefined) continue;
      const known = new Set([...list.options].map(({ value }) => value));
      const fresh = choicesOf(this.voices, facet).filter((value) => !known.has(value));
      list.append(...fresh.map((value) => element('option', { value }, value)));
      list.hidden = list.options.length < 2;
    }
  }

  private show(): void {
    const { node, selected, chosen, choose, target } = this.options;
    const filters = this.filters();
    // What the service found by a name alone need not have the words elsewhere.
    const fitting = this.voices.filter((voice) => this.isPart || fits(voice, filters));
    const wanted = { ...chosen, ...pick('language', filters), ...pick('style', filters) };
    const play = (voice: Voice, sample: Combination, pressed: HTMLButtonElement) =>
      void this.play(pressed, { ...target, voice_id: voice.voice_id, ...sample });
    stopSound();
    this.parts.list.replaceChildren(...voiceRows(fitting, { node, selected, chosen: wanted, choose, play }));
    reachByTab(this.parts.list, this.parts.list.firstElementChild);
    this.parts.status.classList.remove('herald-problem');
    const count = countOf(fitting, node);
    this.parts.status.textContent = this.isPart ? `${count} ${node._('picker.part')}` : count;
  }

  private async play(pressed: HTMLButtonElement, sample: object): Promise<void> {
    try {
      await toggleSound(pressed, () => askRuntime('sample', sample));
    } catch (failure) {
      this.parts.status.classList.add('herald-problem');
      this.parts.status.textContent = wordsOf(failure, this.options.node);
    }
  }
}

const pick = (facet: 'language' | 'style', filters: Filters) =>
  filters[facet] ? { [facet]: filters[facet] } : {};
