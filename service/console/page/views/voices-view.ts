/** The list of voices, with filters and samples. */
import { byId, type Choice, fieldOf, make, offer, showStatus } from '../dom.js';
import { facets } from '../facets.js';
import { type Filters, matches, sampleFor } from '../filter.js';
import { languageName, plain } from '../format.js';
import type { SamplePlayer } from '../sample-player.js';
import { NOT_LIVE } from '../natural/words.js';
import type { Voice } from '../voice.js';

/** From this width, the page has two columns and the filters are open. The same width as in style/layout.css. */
const WIDE = '(min-width: 60rem)';

const filterNames = ['kind', 'language', 'gender', 'age', 'useCase', 'style', 'model'] as const;

export class VoicesView {
  readonly #list = byId('voice-list', HTMLElement);
  readonly #form = byId('filters', HTMLFormElement);
  readonly #status = byId('voices-status', HTMLElement);
  #voices: readonly Voice[] = [];
  #chosen = '';

  /** @param onChoice called with the selected voice, and again after the voices were reloaded */
  constructor(
    private readonly player: SamplePlayer,
    private readonly onChoice: (voice: Voice) => void,
  ) {
    byId('filter-fold', HTMLDetailsElement).open = matchMedia(WIDE).matches;
    const fields = facets.map(({ name, title }) => make('label', {}, title, make('select', { name })));
    byId('filters-clear', HTMLButtonElement).before(...fields);
    this.#form.addEventListener('input', () => this.#render());
    this.#form.addEventListener('submit', (event) => event.preventDefault());
    // The fields keep their values until the handlers of the event have returned.
    this.#form.addEventListener('reset', () => setTimeout(() => this.#render()));
  }

  /** Shows the voices. Keeps the selection if the list still has the voice, otherwise selects a preset voice. */
  show(voices: readonly Voice[]): void {
    this.#voices = voices;
    this.#offerFilters();
    const isListed = voices.some(({ id }) => id === this.#chosen);
    const first = voices.find(({ isCustom }) => !isCustom) ?? voices[0];
    this.choose(isListed ? this.#chosen : (first?.id ?? ''));
  }

  /** Selects a voice by its identifier. */
  choose(id: string): void {
    this.#chosen = id;
    const voice = this.#voices.find((voice) => voice.id === id);
    if (voice) this.onChoice(voice);
    this.#render();
  }

  #offerFilters(): void {
    for (const { name, valuesOf, labelFor } of facets) {
      const values = new Set(this.#voices.flatMap(valuesOf).filter((value) => value !== ''));
      const choices = [...values].map((value): Choice => ({ value, label: labelFor(value) }));
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
    this.player.stop();
    const filters = this.#filters();
    const found = this.#voices.filter((voice) => matches(voice, filters));
    this.#list.replaceChildren(...found.map((voice) => this.#item(voice, filters)));
    this.#keepOneTabStop();
    byId('voice-count', HTMLElement).textContent = `${found.length} of ${this.#voices.length}`;
    const active = filterNames.filter((name) => filters[name] !== '').length;
    byId('filter-count', HTMLElement).textContent = active === 0 ? '' : `(${active})`;
    showStatus(this.#status, found.length === 0 ? 'No voice matches the filters.' : '');
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

  /** Makes one play button reachable with the tab key: the button of the selected voice, or the first. */
  #keepOneTabStop(): void {
    const buttons = [...this.#list.querySelectorAll<HTMLButtonElement>('.play')];
    const reachable = buttons.find(({ value }) => value === this.#chosen) ?? buttons[0];
    for (const button of buttons) button.tabIndex = button === reachable ? 0 : -1;
  }

  #playButton({ id, name }: Voice, url: string): HTMLButtonElement {
    const button = make('button', { type: 'button', className: 'play', value: id, ariaPressed: 'false' });
    button.ariaLabel = `Play ${name}`;
    const onProblem = (message: string) => showStatus(this.#status, message, 'bad');
    button.addEventListener('click', () => void this.player.toggle(button, url, onProblem));
    return button;
  }
}

function describe(voice: Voice): Node[] {
  const { name, description, isNatural } = voice;
  const notes = [traitsOf(voice), description].filter((note) => note !== '');
  return [
    make('span', { className: 'initial', ariaHidden: 'true' }, name.charAt(0).toUpperCase()),
    make(
      'span',
      { className: 'about' },
      make(
        'span',
        { className: 'named' },
        make('strong', {}, name),
        ...(isNatural ? [make('span', { className: 'mark' }, 'Natural')] : []),
      ),
      ...notes.map((note) => make('span', { className: 'note' }, note)),
    ),
  ];
}

function traitsOf({ isCustom, isLive, gender, age, languages }: Voice): string {
  if (isCustom) return 'Custom voice';
  const traits = [plain(gender), plain(age), languages.map(languageName).join(', '), isLive ? '' : NOT_LIVE];
  return traits.filter((trait) => trait !== '').join(' · ');
}
