/** The list of voices with its filters: one is chosen, each can be heard. */
import { byId, type Choice, fieldOf, make, offer, say } from '../dom.js';
import { facets } from '../facets.js';
import { type Filters, passes, sampleFor } from '../filter.js';
import { SamplePlayer } from '../sample-player.js';
import type { Voice } from '../voice.js';
import { languageName, plain } from '../words.js';

/** Columns of the page from here on: the filters are open. As in style/layout.css. */
const WIDE = '(min-width: 60rem)';

const filterNames = ['kind', 'language', 'gender', 'age', 'useCase', 'style', 'model'] as const;

export class VoicesView {
  readonly #list = byId('voice-list', HTMLElement);
  readonly #form = byId('filters', HTMLFormElement);
  readonly #status = byId('voices-status', HTMLElement);
  readonly #player = new SamplePlayer((words) => say(this.#status, words, 'bad'));
  #voices: readonly Voice[] = [];
  #chosen = '';

  /** @param onChoice told of the voice that was chosen, and again when the voices were loaded anew */
  constructor(private readonly onChoice: (voice: Voice) => void) {
    byId('filter-fold', HTMLDetailsElement).open = matchMedia(WIDE).matches;
    const fields = facets.map(({ name, title }) => make('label', {}, title, make('select', { name })));
    byId('filters-clear', HTMLButtonElement).before(...fields);
    this.#form.addEventListener('input', () => this.#render());
    this.#form.addEventListener('submit', (event) => event.preventDefault());
    // The fields have their former values until the event is over.
    this.#form.addEventListener('reset', () => setTimeout(() => this.#render()));
  }

  /** Shows these voices; the chosen one stays chosen where it is still there. */
  show(voices: readonly Voice[]): void {
    this.#voices = voices;
    this.#offerFilters();
    const isThere = voices.some(({ id }) => id === this.#chosen);
    const first = voices.find(({ isOwn }) => !isOwn) ?? voices[0];
    this.choose(isThere ? this.#chosen : (first?.id ?? ''));
  }

  /** Chooses a voice by its identifier. */
  choose(id: string): void {
    this.#chosen = id;
    const voice = this.#voices.find((voice) => voice.id === id);
    if (voice) this.onChoice(voice);
    this.#render();
  }

  #offerFilters(): void {
    for (const { name, valuesOf, wordFor } of facets) {
      const values = new Set(this.#voices.flatMap(valuesOf).filter((value) => value !== ''));
      const choices = [...values].map((value): Choice => ({ value, label: wordFor(value) }));
      offer(fieldOf(this.#form, name, HTMLSelectElement), [{ value: '', label: 'Any' }, ...choices]);
    }
  }

  #filters(): Filters {
    const [kind, language, gender, age, useCase, style, model] = filterNames.map(
      (name) => fieldOf(this.#form, name, HTMLSelectElement).value,
    );
    const words = fieldOf(this.#form, 'words', HTMLInputElement).value.trim();
    return {
      words,
      kind: kind ?? '',
      language: language ?? '',
      gender: gender ?? '',
      age: age ?? '',
      useCase: useCase ?? '',
      style: style ?? '',
      model: model ?? '',
    };
  }

  #render(): void {
    this.#player.stop();
    const filters = this.#filters();
    const found = this.#voices.filter((voice) => passes(voice, filters));
    this.#list.replaceChildren(...found.map((voice) => this.#item(voice, filters)));
    this.#keepOneTabStop();
    byId('voice-count', HTMLElement).textContent = `${found.length} of ${this.#voices.length}`;
    const active = filterNames.filter((name) => filters[name] !== '').length;
    byId('filter-count', HTMLElement).textContent = active === 0 ? '' : `(${active})`;
    say(this.#status, found.length === 0 ? 'No voice passes these filters.' : '');
  }

  #item(voice: Voice, filters: Filters): HTMLElement {
    const radio = make('input', {
      type: 'radio',
      name: 'voice',
      value: voice.id,
      checked: voice.id === this.#chosen,
    });
    radio.addEventListener('change', () => {
      this.#chosen = voice.id;
      this.onChoice(voice);
      this.#keepOneTabStop();
    });
    const label = make('label', { className: 'voice' }, radio, ...describe(voice));
    const sample = sampleFor(voice, filters);
    return make(
      'div',
      { className: 'item' },
      label,
      ...(sample ? [this.#playButton(voice, sample.url)] : []),
    );
  }

  /** The list is one stop of the tab key and one for hearing: the chosen voice, or the first where it is not shown. */
  #keepOneTabStop(): void {
    const buttons = [...this.#list.querySelectorAll<HTMLButtonElement>('.play')];
    const reached = buttons.find(({ value }) => value === this.#chosen) ?? buttons[0];
    for (const button of buttons) button.tabIndex = button === reached ? 0 : -1;
  }

  #playButton({ id, name }: Voice, url: string): HTMLButtonElement {
    const button = make('button', { type: 'button', className: 'play', value: id, ariaPressed: 'false' });
    button.ariaLabel = `Hear ${name}`;
    button.addEventListener('click', () => void this.#player.toggle(button, url));
    return button;
  }
}

function describe({ name, description, isOwn, gender, age, languages }: Voice): Node[] {
  const traits = isOwn ? ['Own voice'] : [plain(gender), plain(age), languages.map(languageName).join(', ')];
  return [
    make('span', { className: 'initial', ariaHidden: 'true' }, name.charAt(0).toUpperCase()),
    make(
      'span',
      { className: 'about' },
      make('strong', {}, name),
      make('span', { className: 'note' }, traits.filter((trait) => trait !== '').join(' · ')),
      make('span', { className: 'note' }, description),
    ),
  ];
}
