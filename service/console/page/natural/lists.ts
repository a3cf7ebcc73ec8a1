/** The two lists of natural voices: installed, and available for installation. */
import { arrange, browserLanguages, type NaturalList, type NaturalVoice } from '@herald-speech/browser';
import { type Choice, offer } from '../lib/dom.js';
import { pageLanguageName } from '../lib/format.js';
import { language, text } from '../lib/text.js';
import type { Installations } from './installations.js';
import type { Elements } from './markup.js';
import { NaturalRow, type VoiceActions } from './row.js';
import { isFound } from './words.js';

export interface ListOptions {
  elements: Elements;
  actions: VoiceActions;
  installations: Installations;
  /** Returns whether the service speaks with an installed voice. */
  isSpeaking: (voice: NaturalVoice) => boolean;
}

/** Number of available voices until the user asks for more, so that the list stays quick and short for the tab key. */
const PAGE_SIZE = 20;

export class NaturalLists {
  readonly #rows = new Map<string, NaturalRow>();
  #content: NaturalList | undefined;
  #limit = PAGE_SIZE;

  constructor(private readonly options: ListOptions) {
    const { more, filters, elsewhere } = options.elements;
    const { form } = filters;
    form.addEventListener('input', () => {
      this.#limit = PAGE_SIZE;
      this.render();
    });
    more.addEventListener('click', () => this.#showMore());
    elsewhere.addEventListener('click', () => {
      filters.language.value = '';
      this.render();
      filters.words.focus();
    });
    form.addEventListener('submit', (event) => event.preventDefault());
  }

  show(content: NaturalList): void {
    this.#content = content;
    this.render();
  }

  /** Shows installed voices, installations and failures above the voices that match the filters. */
  render(): void {
    if (this.#content === undefined) return;
    const { elements, installations } = this.options;
    const { mine, offered, more, elsewhere, filters } = elements;
    const focused = focusedVoice();
    const isMine = ({ name, installed }: NaturalVoice) => installed ?? installations.get(name);
    const upper = this.#content.voices.filter((voice) => isMine(voice));
    const rest = this.#content.voices.filter((voice) => !isMine(voice));
    this.#offerLanguages(this.#content.voices, rest);
    const named = byLanguage(rest).filter((voice) => isFound(voice, filters.words.value));
    const found = named.filter((voice) => ['', voice.language].includes(filters.language.value));
    this.#arrange(mine.list, upper);
    this.#arrange(offered.list, found.slice(0, this.#limit));
    more.hidden = found.length <= this.#limit;
    more.textContent = text('natural.more', { count: found.length - this.#limit });
    const others = named.length - found.length;
    elsewhere.hidden = others === 0 || filters.words.value.trim() === '';
    elsewhere.textContent = text('natural.elsewhere', { count: others });
    mine.box.hidden = upper.length === 0;
    offered.count.textContent =
      found.length === 0
        ? text('natural.none')
        : text('voices.count', { count: found.length, total: rest.length });
    if (focused !== undefined) this.restoreFocus(focused);
  }

  /** Shows the next voices, and focuses the first of them. */
  #showMore(): void {
    const { children } = this.options.elements.offered.list;
    const first = children.length;
    this.#limit += PAGE_SIZE;
    this.render();
    children[first]?.querySelector('button')?.focus();
  }

  showProgress(name: string): void {
    const installation = this.options.installations.get(name);
    if (installation?.kind === 'working') this.#rows.get(name)?.showProgress(installation);
  }

  /** Offers the languages of all voices with the number of voices to install. */
  #offerLanguages(voices: readonly NaturalVoice[], rest: readonly NaturalVoice[]): void {
    const { language: list } = this.options.elements.filters;
    const counts = new Map(voices.map((voice) => [voice.language, 0]));
    for (const voice of rest) counts.set(voice.language, (counts.get(voice.language) ?? 0) + 1);
    const choices = [...counts].map(([value, count]): Choice => ({
      value,
      label: text('natural.of-language', { language: pageLanguageName(value), count }),
    }));
    choices.sort((one, other) => one.label.localeCompare(other.label, language()));
    offer(list, [{ value: '', label: text('natural.all-languages') }, ...choices]);
  }

  #arrange(list: HTMLElement, voices: readonly NaturalVoice[]): void {
    arrange(
      list,
      voices.map((voice) => this.#rowOf(voice).element),
    );
  }

  #rowOf(voice: NaturalVoice): NaturalRow {
    const { actions, installations, isSpeaking } = this.options;
    const row = this.#rows.get(voice.name) ?? new NaturalRow(actions);
    this.#rows.set(voice.name, row);
    const { isWritable = false, freeBytes = Infinity } = this.#content ?? {};
    row.show({
      voice,
      installation: installations.get(voice.name),
      isWritable,
      isSpeaking: isSpeaking(voice),
      isTooLarge: !voice.installed && voice.bytes > freeBytes,
    });
    return row;
  }

  /** Focuses a row that lost the focus in an update, or the title of the section if the filters hide the row. */
  restoreFocus(name: string): void {
    const { activeElement, body } = document;
    // A button in a closed dialog keeps the focus until the browser draws the page.
    if (activeElement !== body && activeElement?.checkVisibility()) return;
    const row = this.#rows.get(name);
    if (row?.element.isConnected) row.focus();
    else this.options.elements.title.focus();
  }
}

/** Returns the voices of the user's languages, then the others. */
function byLanguage(voices: readonly NaturalVoice[]): NaturalVoice[] {
  const preferred = [language(), ...browserLanguages()];
  const rank = ({ language: code }: NaturalVoice) => preferred.indexOf(code) + 1 || Infinity;
  // Two infinite ranks have no difference.
  return [...voices].sort((one, other) => rank(one) - rank(other) || 0);
}

/** Returns the name of the voice whose row has the focus. */
function focusedVoice(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-voice]')?.dataset['voice'];
}
