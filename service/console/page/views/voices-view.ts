/** The list of voices, with filters and samples. */
import {
  bestSample,
  byId,
  choicesOf,
  element,
  FACETS,
  TRIAL_LANGUAGE,
  type SoundButtons,
  type Voice,
} from '@herald-speech/browser';
import { type Choice, formField, errorMessage, offer, playButton, showSectionStatus } from '../lib/dom.js';
import { pageLanguageName, pathOf, plain } from '../lib/format.js';
import { language, text } from '../lib/text.js';
import { notLive } from '../natural/words.js';
import { filterNames, type ListFilters, matches, valueName } from './filter.js';

/** From this width, the page has two columns and the filters are open. The same width as in style/layout.css. */
const WIDE = '(min-width: 60rem)';

const KINDS = ['natural', 'preset', 'custom'] as const;

export class VoicesView {
  readonly #list = byId('voice-list', HTMLElement);
  readonly #form = byId('filters', HTMLFormElement);
  readonly #status = byId('voices-status', HTMLElement);
  #voices: readonly Voice[] = [];
  #chosen = '';

  /**
   * @param speak speaks a sentence with a custom voice, which has no sample
   * @param onChoice called with the selected voice, and again after the voices were reloaded
   */
  constructor(
    private readonly player: SoundButtons,
    private readonly speak: (voice: Voice, language: string) => Promise<Blob>,
    private readonly onChoice: (voice: Voice) => void,
  ) {
    byId('filter-fold', HTMLDetailsElement).open = matchMedia(WIDE).matches;
    const fields = FACETS.map((name) =>
      element('label', {}, text(`facet.${name}`), element('select', { name })),
    );
    byId('filters-clear', HTMLButtonElement).before(...fields);
    const kinds = KINDS.map((kind): Choice => ({ value: kind, label: text(`kind.${kind}`) }));
    this.#offer('kind', kinds);
    this.#form.addEventListener('input', () => this.#render());
    this.#form.addEventListener('submit', (event) => event.preventDefault());
    // The fields keep their values until the handlers of the event have returned.
    this.#form.addEventListener('reset', () => setTimeout(() => this.#render()));
  }

  /** Shows the voices. Keeps the selection if the list still has the voice, otherwise selects a preset voice. */
  show(voices: readonly Voice[]): void {
    this.#voices = voices;
    this.#offerFilters();
    const isListed = voices.some(({ voice_id }) => voice_id === this.#chosen);
    const first = voices.find(({ own }) => !own) ?? voices[0];
    this.choose(isListed ? this.#chosen : (first?.voice_id ?? ''));
  }

  /** Selects a voice by its identifier. */
  choose(id: string): void {
    this.#chosen = id;
    const voice = this.#voices.find(({ voice_id }) => voice_id === id);
    if (voice) this.onChoice(voice);
    this.#render();
  }

  #offerFilters(): void {
    for (const facet of FACETS) {
      const values = choicesOf(this.#voices, facet);
      const choices = values.map((value): Choice => ({ value, label: valueName(facet, value) }));
      choices.sort((one, other) => one.label.localeCompare(other.label, language()));
      this.#offer(facet, choices);
    }
  }

  #offer(name: string, choices: readonly Choice[]): void {
    offer(formField(this.#form, name, HTMLSelectElement), [{ value: '', label: text('any') }, ...choices]);
  }

  #filters(): ListFilters {
    const values = filterNames.map((name) => [name, formField(this.#form, name, HTMLSelectElement).value]);
    const words = formField(this.#form, 'words', HTMLInputElement).value.trim();
    return { ...Object.fromEntries(values), text: words };
  }

  #render(): void {
    this.player.stop();
    const filters = this.#filters();
    const found = this.#voices.filter((voice) => matches(voice, filters));
    this.#list.replaceChildren(...found.map((voice) => this.#item(voice, filters)));
    this.#keepOneTabStop();
    byId('voice-count', HTMLElement).textContent = text('voices.count', {
      count: found.length,
      total: this.#voices.length,
    });
    const active = filterNames.filter((name) => filters[name]).length;
    byId('filter-count', HTMLElement).textContent = active === 0 ? '' : `(${active})`;
    showSectionStatus(this.#status, found.length === 0 ? text('voices.none') : '');
  }

  #item(voice: Voice, filters: ListFilters): HTMLElement {
    const radio = element('input', {
      type: 'radio',
      name: 'voice',
      value: voice.voice_id,
      checked: voice.voice_id === this.#chosen,
    });
    radio.addEventListener('change', () => {
      this.#chosen = voice.voice_id;
      this.onChoice(voice);
      this.#keepOneTabStop();
    });
    const label = element('label', { className: 'voice' }, radio, ...describe(voice));
    const sample = bestSample(voice, filters);
    const load = sample
      ? async () => pathOf(sample.url)
      : () => this.speak(voice, filters.language || TRIAL_LANGUAGE);
    const isPlayable = sample !== undefined || voice.own;
    return element(
      'div',
      { className: 'item' },
      label,
      ...(isPlayable ? [this.#playButton(voice, load)] : []),
    );
  }

  /** Makes one play button reachable with the tab key: the button of the selected voice, or the first. */
  #keepOneTabStop(): void {
    const buttons = [...this.#list.querySelectorAll<HTMLButtonElement>('.play')];
    const reachable = buttons.find(({ value }) => value === this.#chosen) ?? buttons[0];
    for (const button of buttons) button.tabIndex = button === reachable ? 0 : -1;
  }

  #playButton({ voice_id, name }: Voice, load: () => Promise<string | Blob>): HTMLButtonElement {
    const button = playButton(text('voices.play', { name }));
    button.value = voice_id;
    button.addEventListener('click', () => {
      this.player
        .toggle(button, load)
        .catch((error: unknown) => showSectionStatus(this.#status, errorMessage(error), 'bad'));
    });
    return button;
  }
}

function describe(voice: Voice): Node[] {
  const { name, description, isNatural } = voice;
  const notes = [traitsOf(voice), description].filter((note) => note !== '');
  return [
    element('span', { className: 'initial', ariaHidden: 'true' }, name.charAt(0).toUpperCase()),
    element(
      'span',
      { className: 'about' },
      element(
        'span',
        { className: 'named' },
        element('strong', {}, name),
        ...(isNatural ? [element('span', { className: 'mark' }, text('voices.natural'))] : []),
      ),
      ...notes.map((note) => element('span', { className: 'note' }, note)),
    ),
  ];
}

function traitsOf({ own, isLive, gender, age, language }: Voice): string {
  if (own) return text('voices.custom');
  const traits = [
    plain(gender),
    plain(age),
    language.map(pageLanguageName).join(', '),
    isLive ? '' : notLive(),
  ];
  return traits.filter((trait) => trait !== '').join(' · ');
}
